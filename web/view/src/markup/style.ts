// The style sheet. Tokens take the host's variables where it has them; a forced theme takes ours
// alone, because a host's colours belong to its own theme. Values from @openai/apps-sdk-ui (MIT, see
// ../../NOTICE), darkened or lightened where text in them had too little contrast.

import { chartCss } from "./chart";
import { iconCss } from "./icon";
import { markdownCss } from "./markdown";
import { tableCss } from "./table";

// The solid colour, and the hue that the tint is mixed from; text on a tint has the text token.
const COLORS: Record<string, [string, string]> = {
  info: ["#0169cc", "blue"],
  success: ["#008635", "green"],
  warning: ["#b9480d", "orange"],
  caution: ["#6e5400", "yellow"],
  danger: ["#ba2623", "red"],
  discovery: ["#8046d9", "purple"],
};

const colors = Object.entries(COLORS)
  .map(
    ([name, [solid, hue]]) =>
      `.wc-c-${name}{--c:${solid};--t:var(--wc-${name});--tint:var(--wc-${hue})}`,
  )
  .join("");

// Height, type, side padding and radius of controls. The smallest is 24 px, not 22: a finger must hit it.
const CONTROLS: Record<string, [number, number, number, number]> = {
  "3xs": [24, 12, 6, 6],
  "2xs": [24, 12, 8, 6],
  xs: [26, 12, 9, 6],
  sm: [28, 13, 10, 7],
  md: [32, 14, 12, 8],
  xl: [40, 15, 16, 10],
  "2xl": [44, 16, 18, 11],
  "3xl": [48, 16, 20, 12],
};

const controls = Object.entries(CONTROLS)
  .map(
    ([size, [height, type, side, radius]]) =>
      `.wc-s-${size}{--h:${height}px;--fs:${type}px;--gx:${side}px;--r:${radius}px}`,
  )
  .join("");

const scale = (name: string, rows: Record<string, string>) =>
  Object.entries(rows)
    .map(
      ([size, font]) => `.wc-${name}-${size}{font-size:${font.replace("/", "px;line-height:")}px}`,
    )
    .join("");

const type = [
  scale("text", { xs: "12/18", sm: "14/20", lg: "18/29", xl: "20/30" }),
  scale("title", {
    sm: "18/26",
    lg: "24/28",
    xl: "32/38",
    "2xl": "36/42",
    "3xl": "48/48",
    "4xl": "60/60",
    "5xl": "72/72",
  }),
  scale("cap", { sm: "11/15", lg: "14/20" }),
].join("");

// The rules for plain elements have no weight, so that a page of one's own can style its own.
const base = `
.wc [data-theme]{--color-text-primary:initial;--color-text-secondary:initial;--color-background-primary:initial}
.wc,.wc [data-theme]{
--wc-text:var(--color-text-primary,light-dark(#0d0d0d,#f5f5f5));
--wc-text-2:var(--color-text-secondary,light-dark(#5d5d5d,#b9b9b9));
--wc-text-3:light-dark(#6b6b6b,#a6a6a6);
--wc-surface:var(--color-background-primary,light-dark(#fff,#212121));
--wc-raised:color-mix(in oklab,var(--wc-surface),#fff 4%);
--wc-surface-2:color-mix(in oklab,var(--wc-raised),var(--wc-text) 4%);
--wc-surface-3:color-mix(in oklab,var(--wc-raised),var(--wc-text) 8%);
--wc-border:light-dark(#0d0d0d1a,#fff2);
--wc-border-subtle:light-dark(#0d0d0d0f,#fff1);--wc-border-strong:light-dark(#0d0d0d33,#fff4);
--wc-veil:light-dark(#0d0d0d0f,#ffffff1a);
--wc-ring:light-dark(#0169cc,#66b5ff);
--wc-ink:light-dark(#181818,#f3f3f3);--wc-paper:light-dark(#fff,#0d0d0d);
--wc-success:light-dark(#00692a,#40c977);--wc-warning:light-dark(#923b0f,#ff9e6c);
--wc-danger:light-dark(#ba2623,#ff8583);--wc-info:light-dark(#0160ba,#66b5ff);
--wc-discovery:light-dark(#6b3ab4,#be95fa);--wc-caution:light-dark(#6e5400,#ffd240);
--wc-blue:light-dark(#0285ff,#339cff);--wc-purple:light-dark(#924ff7,#ad7bf9);
--wc-orange:light-dark(#e25507,#ff8549);--wc-green:light-dark(#00a240,#40c977);
--wc-red:light-dark(#e02e2a,#ff6764);--wc-yellow:light-dark(#ba8e00,#ffc300);
--wc-pink:light-dark(#e04c91,#ff8cc1);
color:var(--wc-text)}
.wc{--wc-ground:var(--wc-surface);--wc-font:var(--font-sans,system-ui,sans-serif);
--wc-mono:var(--font-mono,ui-monospace,Menlo,Consolas,monospace);
--wc-round:var(--border-radius-xl,16px);
--h:36px;--fs:14px;--gx:14px;--r:9px;
font:400 16px/1.5 var(--wc-font);text-align:start;-webkit-font-smoothing:antialiased;
overflow-wrap:break-word;word-break:auto-phrase;text-wrap:pretty;font-variant-numeric:tabular-nums}
.wc [data-theme=light]{color-scheme:light}
.wc [data-theme=dark]{color-scheme:dark}
.wc-basic[data-theme]{background:var(--wc-surface)}
.wc *{box-sizing:border-box}
:where(.wc *){min-width:0}
:where(.wc) :where(p,h1,h2,h3,h4,h5,h6,hr,ul,ol,pre,blockquote,form,button,input,textarea,select){margin:0;padding:0;border:0;border-radius:0;background:none;font:inherit;color:inherit;text-overflow:ellipsis}
.wc :where(button){cursor:pointer}
.wc :where(:focus-visible){outline:2px solid var(--wc-ring);outline-offset:2px}
.wc-down{flex:none;rotate:90deg}
.wc-down>svg{transform:none!important}
.wc-glyph{display:inline-flex;flex:none}
`;

const layout = `
.wc-row,.wc-col{display:flex;gap:8px}
.wc-row{align-items:center}
.wc-col{flex-direction:column}
:is(.wc-row,.wc-col)>*{max-width:100%}
.wc-snug:not(:has(>.wc-col>.wc-row)){gap:4px!important}
.wc-shrinks>*{flex-shrink:1!important}
.wc-shrinks>.wc-square{aspect-ratio:1;height:auto!important}
.wc-wraps{flex-wrap:wrap}
.wc-wraps>.wc-spacer{display:none}
.wc-wraps:not(.wc-tight)>.wc-led{flex:none!important;width:calc(100% - var(--lead))!important;min-width:0!important;overflow-wrap:anywhere}
.wc-wraps:not(.wc-tight)>.wc-words:has(+.wc-led){align-self:start}
.wc-wraps:not(.wc-tight,.wc-below)>:is(.wc-led+*,.wc-led+.wc-spacer+.wc-badge){margin-inline-start:var(--lead)}
.wc-led+.wc-col{align-items:start!important}
.wc-row:not([style*=align]):has(>[style*=background][style*=flex]+[style*=background][style*=flex]){align-items:stretch}
:where(.wc-row[style*=space-between]:not(.wc-tight)>*+.wc-words:last-child,.wc-row:not(.wc-tight)>.wc-spacer+.wc-words:last-child){text-align:end}
.wc-fill{min-width:var(--own)!important;margin-inline-end:var(--rest)!important}
.wc-wraps>:has(>.wc-title):has(+.wc-badge){flex-basis:100%!important}
.wc-row>:is([style^="width: 100%"],[style*=" width: 100%"]).wc-words{flex:1}
.wc-row:not(.wc-below)>[style*="safe end"]:last-child{margin-inline-start:auto}
.wc-row:has(>.wc-badge):not(:has(>:not(.wc-badge,.wc-cap))){flex-wrap:wrap}
.wc-row>:where(.wc-box:not([style*=width]):has(>.wc-box:only-child:empty)){min-width:4rem!important}
.wc-row:not([style*=align]):has(>.wc-col>.wc-field:last-child){align-items:end}
.wc-row>.wc-col>.wc-field{min-width:7rem}
.wc-narrow{width:var(--narrow)!important}
.wc-row>.wc-any{overflow-wrap:anywhere;min-width:min(10rem,100%)!important}
.wc-row>:where(.wc-box:empty:not([style*=height],[style*=ratio])){align-self:stretch}
.wc-tiles{flex-wrap:wrap}
.wc-tiles:not(.wc-tight)>*{flex:var(--grow) 0 var(--tile)!important}
.wc-tiles .wc-words.wc-clip{width:0;min-width:100%}
.wc-below{justify-content:end!important}
.wc-row>[style^=width]:not([style*=height]):first-child+:last-child{min-width:45%!important;overflow-wrap:anywhere}
.wc-col:not([style*=gap])>.wc-words+.wc-words{margin-top:-5px}
.wc-box{gap:0}
.wc-form{gap:12px}
.wc-form>.wc-row{row-gap:inherit!important}
.wc-spacer{margin:auto}
.wc-row>.wc-spacer+*{margin-inline-start:auto}
.wc-spacer~.wc-cap:last-child{flex:none;max-width:50%}
.wc-row:not([style*=height])>.wc-glyph:first-child:has(+.wc-text-sm:last-child){align-self:start;align-items:center;height:20px}
.wc-line{flex:none;align-self:stretch;height:var(--size,1px);background:var(--line,var(--wc-border));margin-block:var(--gap,0)}
.wc-row>.wc-line{width:var(--size,1px);height:auto;margin-block:0;margin-inline:var(--gap,0)}
.wc-fade{animation:wc-in .25s}
`;

const roots = `
.wc-wait{font-size:14px;line-height:20px}
.wc-wait i+i{width:60%}
.wc-wait i{display:block;height:12px;border-radius:6px;background:var(--wc-surface-3);animation:wc-pulse .8s infinite alternate}
.wc-root{transition:opacity .2s}
.wc-root[inert]{opacity:.5}
.wc-card{--wc-ground:var(--wc-raised);width:100%;max-width:440px;background:var(--wc-ground);border:1px solid var(--wc-border);border-radius:var(--wc-round);overflow:clip}
.wc-card:has(.wc-panel){overflow:visible}
.wc-card-sm{max-width:360px}
.wc-card-lg,.wc-basic{max-width:560px}
.wc-wider{max-width:min(720px,var(--wider))}
.wc-card-full{max-width:none}
.wc-pad{--pad-BlockStart:16px;--pad-BlockEnd:16px;--pad-InlineStart:16px;--pad-InlineEnd:16px;
padding-block:var(--pad-BlockStart) var(--pad-BlockEnd);padding-inline:var(--pad-InlineStart) var(--pad-InlineEnd)}
.wc-pad,.wc-body{display:flex;flex-direction:column;gap:12px}
.wc-pad>.wc-form{gap:16px}
.wc-flush{margin-inline:calc(-1*var(--pad-InlineStart,0px)) calc(-1*var(--pad-InlineEnd,0px));align-self:stretch;max-width:none}
.wc-image.wc-flush{width:auto;min-width:calc(100% + var(--pad-InlineStart,0px) + var(--pad-InlineEnd,0px));border-radius:0}
:is(.wc-pad,.wc-pad>.wc-form:first-child)>.wc-body:first-child>.wc-image.wc-flush:first-child{margin-top:calc(-1*var(--pad-BlockStart))}
.wc-status{display:flex;align-items:center;gap:6px;font-size:12px;line-height:16px;font-weight:500;color:var(--wc-text-2)}
.wc-status img{width:16px;height:16px;border-radius:4px}
.wc-foot{display:flex;flex-wrap:wrap-reverse;justify-content:end;gap:8px;
padding-inline:max(0px,16px - var(--pad-InlineStart)) max(0px,16px - var(--pad-InlineEnd));padding-bottom:max(0px,16px - var(--pad-BlockEnd))}
.wc-more{display:flex;align-items:center;gap:4px;min-height:28px;font-size:14px;font-weight:500;color:var(--wc-text-2)}
.wc-more:hover{color:var(--wc-text)}
[aria-expanded=true]>.wc-down{rotate:270deg}
.wc-listview{padding:6px}
.wc-listview>.wc-status{padding:8px 10px 6px}
.wc-listview ul{list-style:none}
.wc-listview li:focus{outline:0}
.wc-listview li+li,.wc-listview>.wc-more{border-top:1px solid var(--wc-border-subtle)}
.wc-listview>.wc-more{width:100%;justify-content:center;min-height:40px}
.wc-item{position:relative;display:flex;align-items:center;min-height:44px;padding:10px}
.wc-item>.wc-row{gap:12px;flex:1}
.wc-item>.wc-row>:only-child{flex:1}
.wc-item .wc-card{min-width:0;max-width:none}
.wc-hit{position:absolute;inset:1px 0;border-radius:calc(var(--wc-round) - 6px)}
.wc-hit:hover{background:var(--wc-veil)}
.wc-acts>.wc-row{position:relative;pointer-events:none}
.wc-acts>.wc-row :is(a,button,input,select,textarea,label){pointer-events:auto}
.wc-item[aria-busy]>.wc-row{opacity:.5}
.wc-quiet{padding:8px 12px;border:1px dashed var(--wc-border-strong);border-radius:8px;font-size:13px;line-height:18px;color:var(--wc-text-2)}
.wc-fault .wc-pad{flex-direction:row;gap:10px;font-size:14px;line-height:20px}
.wc-fault svg{color:var(--wc-danger)}
.wc-fault p+p{color:var(--wc-text-2)}
`;

const words = `
.wc-words{white-space:pre-line}
:where(.wc-title,.wc-words[style*=weight]){text-wrap:balance}
:is(.wc-cell,.wc-md) .wc-short,.wc-row>.wc-short{white-space:nowrap}
@media (width<300px){.wc-head .wc-short{white-space:normal}}
.wc-keep{word-break:keep-all}
.wc-text{font-size:16px;line-height:24px}
.wc-title{font-size:20px;line-height:26px;font-weight:600}
.wc-cap{font-size:12px;line-height:16px;color:var(--wc-text-2)}
${type}
@media (width<360px){.wc-title:is(.wc-title-lg){font-size:20px;line-height:26px}.wc-title:is(.wc-title-xl){font-size:28px;line-height:34px}}
.wc-strong{font-weight:600}
.wc-clip{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
:where(.wc-clip[style*=direction]){text-align:-webkit-match-parent;text-align:match-parent}
.wc-lines{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:var(--lines);overflow:hidden}
.wc-caret::after{content:" ▍";animation:wc-pulse .6s infinite alternate}
.wc-edit{display:block;width:calc(100% + 12px);max-width:none;margin-inline:-6px;padding:2px 6px;border-radius:6px;resize:none;field-sizing:content}
.wc-edit:hover,.wc-edit:focus{background:var(--wc-veil)}
.wc-edit:focus-visible{outline-offset:0}
.wc ::placeholder,.wc-hint{color:var(--wc-text-3);opacity:1}
.wc-badge{flex:none;align-self:center;max-width:100%;padding:0 6px;border:1px solid transparent;border-radius:5px;font-size:12px;line-height:18px;font-weight:600;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.wc-b-md{font-size:13px;line-height:20px;padding:0 7px;border-radius:6px}
.wc-b-lg{font-size:14px;line-height:22px;padding:0 9px;border-radius:7px}
:is(.wc-col,.wc-body)>:is(.wc-badge,.wc-btn){align-self:start}
.wc-col[style*="items: safe"]>:is(.wc-badge,.wc-btn){align-self:auto}
[style*="safe end"]>.wc-words{text-align:end}
.wc .wc-pill{border-radius:99px}
.wc-badge.wc-pill{padding-inline:8px}
.wc-image{flex:none;max-width:100%;object-fit:cover;border-radius:8px}
.wc-wide{width:100%;height:auto}
.wc-row>.wc-wide{width:auto;max-width:50%}
.wc-frame{outline:1px solid var(--wc-border);outline-offset:-1px}
.wc-void{display:flex;align-items:center;justify-content:center;gap:8px;overflow:hidden;font-size:12px;line-height:16px;color:var(--wc-text-2);background:var(--wc-veil)}
.wc-void.wc-wide{min-height:96px}
.wc-row>.wc-void.wc-wide{width:48px;min-height:48px}
.wc-row>.wc-wide>span{display:none}
`;

const buttons = `
.wc-btn,.wc-badge{--c:#5d5d5d;--on:#fff;--t:var(--wc-text);--tint:var(--wc-text);
--s:color-mix(in oklab,var(--tint) 14%,transparent);--o:color-mix(in oklab,var(--tint) 50%,transparent)}
.wc-btn:is(.wc-c-primary,.wc-c-secondary),.wc-badge:is(.wc-c-secondary,:not([class*=wc-c-])){--s:var(--wc-veil);--o:var(--wc-border-strong)}
.wc-badge{--t:var(--wc-text-2)}
.wc-c-primary{--c:var(--wc-ink);--on:var(--wc-paper)}
${colors}
${controls}
.wc-btn,.wc-badge{background:var(--s);color:var(--t)}
.wc-v-outline,.wc-v-ghost{background:none}
.wc-v-outline{border:1px solid var(--o)}
.wc-v-solid{background:var(--c);color:var(--on)}
.wc-btn{position:relative;display:inline-flex;align-items:center;justify-content:center;flex:none;max-width:100%;min-height:var(--h);min-width:var(--h);
padding:3px var(--gx);border-radius:var(--r);font-size:var(--fs);line-height:1.3;font-weight:500;transition:background .15s}
.wc-btn:hover:enabled{background:color-mix(in oklab,var(--s),var(--tint) 10%)}
.wc-btn.wc-v-solid:hover:enabled{background:color-mix(in oklab,var(--c),var(--wc-raised) 20%)}
.wc-btn:disabled{opacity:.45}
.wc-face{display:flex;align-items:center;gap:6px}
.wc-face>.wc-clip{white-space:normal}
[aria-busy]>.wc-face{opacity:0}
.wc-btn.wc-block{width:100%}
.wc-row>.wc-block{flex:1;width:auto}
.wc-row:not(.wc-tight)>*+.wc-v-ghost:last-child:not(.wc-block,.wc-uniform){padding-inline-end:0}
.wc-row:not(.wc-tight)>*+.wc-v-ghost:last-child:not(.wc-block,.wc-uniform):hover{background:none;text-decoration:underline}
.wc-uniform{width:var(--h);padding:0}
.wc-spin{position:absolute;width:16px;height:16px;border-radius:50%;border:2px solid;border-inline-end-color:transparent;animation:wc-spin .7s linear infinite}
`;

const fields = `
.wc-field{display:inline-flex;align-items:center;height:var(--h);padding-inline:min(var(--gx),12px);border:1px solid var(--wc-border-strong);border-radius:var(--r);font-size:var(--fs);line-height:20px;max-width:100%}
.wc-field:hover{border-color:var(--wc-text-3)}
.wc-f-soft,.wc-f-solid,.wc-f-ghost{border-color:transparent!important}
.wc-f-soft,.wc-f-solid,.wc-f-ghost:hover{background:var(--wc-veil)}
.wc-field.wc-block{width:100%}
.wc-field:is(:focus-visible,:has(:focus-visible)){outline:2px solid var(--wc-ring);outline-offset:-1px}
.wc-wrap>:focus-visible,.wc-search,.wc-list{outline:0}
.wc-field:disabled,[data-disabled]{opacity:.5}
.wc-field:user-invalid{border-color:var(--wc-danger)}
${Object.entries({ "2xs": 6, xs: 8, sm: 10, md: 12, lg: 14, xl: 16 })
  .map(([size, side]) => `.wc-g-${size}{padding-inline:${side}px}`)
  .join("")}
.wc-area{display:block;height:auto;padding-block:7px;resize:vertical;min-height:calc(var(--least)*20px + 16px)}
.wc-autoResize{field-sizing:content;max-height:calc(var(--most)*20px + 16px)}
.wc-wrap{position:relative;gap:6px}
.wc-wrap>svg,.wc-wrap>.wc-down{color:var(--wc-text-2);pointer-events:none}
.wc-wrap>.wc-pick{appearance:none;flex:1;align-self:stretch;text-align:start;cursor:pointer}
.wc-wrap:has(>select){overflow:clip}
select.wc-pick{margin-inline-end:-34px;padding-inline-end:34px}
.wc-pick>option{background:var(--wc-surface);color:var(--wc-text)}
button.wc-pick::after{content:"";position:absolute;inset:0}
.wc-when{min-width:9.5rem}
.wc-when>.wc-clip{flex:1}
.wc-when:has(.wc-date:focus)>.wc-clip{visibility:hidden}
.wc-date{position:absolute;inset:0;padding-inline:min(var(--gx),12px);cursor:pointer}
.wc-date:not(:focus){color:transparent}
.wc-date::-webkit-calendar-picker-indicator{position:absolute;inset:0;width:auto;height:auto;opacity:0;cursor:pointer}
.wc-date:focus::-webkit-calendar-picker-indicator{inset-inline-start:auto;width:36px}
.wc-clear{position:relative;z-index:1;display:grid;place-items:center;width:24px;height:24px;border-radius:6px}
.wc-clear>svg{rotate:45deg}
.wc-clear:hover{background:var(--wc-veil)}
.wc-panel{position:absolute;z-index:9;top:calc(100% + 4px);inset-inline-start:-1px;min-width:max(100% + 2px,220px);padding:6px;background:light-dark(#fff,#353535);border:1px solid var(--wc-border);border-radius:12px;box-shadow:0 8px 24px -6px #0003;animation:wc-in .12s}
.wc-search{width:100%;height:32px;padding:0 8px;margin-bottom:4px;border-bottom:1px solid var(--wc-border)}
.wc-list{max-height:240px;overflow-y:auto}
.wc-option{display:flex;align-items:center;justify-content:space-between;gap:8px;min-height:32px;padding:6px 8px;border-radius:8px;cursor:pointer}
.wc-option[data-active]{background:var(--wc-veil)}
.wc-option[aria-disabled]{opacity:.5}
.wc-option span,.wc-none{display:block}
.wc-option span span,.wc-none{font-size:12px;line-height:16px;color:var(--wc-text-2)}
.wc-none{padding:8px}
.wc-must{color:var(--wc-danger)}
.wc-choice{display:inline-flex;align-self:start;max-width:100%;gap:8px;min-height:24px;padding-block:2px;font-size:14px;line-height:20px;cursor:pointer}
.wc-row>.wc-choice{align-self:center}
.wc-col>.wc-choice+.wc-cap{margin-inline-start:26px}
.wc-choice:has(:disabled){color:var(--wc-text-2)}
.wc-radios{display:flex;flex-direction:column;gap:6px}
.wc-across{flex-flow:row wrap;gap:4px 20px}
.wc-tick{appearance:none;flex:none;display:grid;place-items:center;width:18px;height:18px;margin-top:1px;border:1.5px solid var(--wc-text-3);border-radius:5px;cursor:inherit}
.wc-dot{border-radius:50%}
.wc-tick:checked{background:var(--wc-ink);border-color:var(--wc-ink)}
.wc-tick:disabled{opacity:.5}
.wc-tick:checked::after{content:"";box-sizing:border-box;width:6px;height:9px;margin-top:-2px;border:solid var(--wc-paper);border-width:0 2px 2px 0;rotate:45deg}
.wc-dot:checked::after{width:6px;height:6px;margin:0;border:0;border-radius:50%;background:var(--wc-paper)}
`;

const media = `
@keyframes wc-in{from{opacity:0}}
@keyframes wc-spin{to{rotate:1turn}}
@keyframes wc-pulse{to{opacity:.4}}
@media (prefers-reduced-motion:reduce){.wc *,.wc ::after{animation:none!important;transition:none!important}}
@media (forced-colors:active){.wc-btn,.wc-badge,.wc-field,.wc-panel{border:1px solid!important}.wc-tick{appearance:auto}.wc-tick::after{content:none!important}.wc-option[data-active]{outline:2px solid}.wc-line{background:CanvasText}}
`;

export const css = [
  base,
  layout,
  roots,
  words,
  buttons,
  fields,
  tableCss,
  markdownCss,
  chartCss,
  iconCss,
  media,
].join("");

/** What is fitted after it is drawn may not break its words before. */
export const fitCss = `
.wc .wc-row:not(.wc-tight)>:not(.wc-clip,.wc-image,.wc-field,.wc-badge){min-width:min-content}
.wc .wc-yields:not(.wc-tight)>:has(.wc-words.wc-clip){min-width:min(6rem,100%)}
.wc-tight{flex-flow:column;align-items:stretch!important}
.wc-tight>.wc-badge{align-self:start}
.wc-foot.wc-tight{flex-direction:column-reverse}
`;

/** What only the page needs: its edges, the notice and the state before a result. */
export const pageCss = `
body{margin:0;--edge:2px;padding:calc(var(--edge) + var(--safe-area-top,0px)) calc(var(--edge) + var(--safe-area-right,0px)) calc(var(--edge) + var(--safe-area-bottom,0px)) calc(var(--edge) + var(--safe-area-left,0px))}
${fitCss}[data-mode=fullscreen] body{--edge:20px;max-width:720px;margin-inline:auto}
[data-mode=fullscreen] #root>.wc>*{max-width:none}
#notice{font-size:13px;line-height:18px;color:var(--wc-text-2);overflow-wrap:anywhere}
#notice:not(:empty){padding:8px 4px 4px}
#notice[data-tone=bad]{color:var(--wc-danger)}
`;
