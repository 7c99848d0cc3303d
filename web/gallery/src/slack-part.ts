// What the drawings of Slack share: JSON of any shape, read without trust, and elements with text.

export type Json = Record<string, unknown>;

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const object = (value: unknown): Json =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? Object(value) : {};
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);

export function element(tag: string, name: string, words?: string): HTMLElement {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (words !== undefined) made.textContent = coloured(words);
  return made;
}

/** The short names of emoji that our printer writes, each before its character. */
const EMOJI =
  "airplane ✈ arrow_down ⬇ arrow_forward ▶ arrow_left ⬅ arrow_right ➡ arrow_up ⬆ arrows_counterclockwise 🔄 " +
  "atom_symbol ⚛ bar_chart 📊 battery 🔋 bed 🛏 bell 🔔 bike 🚲 birthday 🎂 black_square_for_stop ⏹ book 📖 " +
  "bookmark 🔖 briefcase 💼 bug 🐛 bulb 💡 bus 🚌 bust_in_silhouette 👤 busts_in_silhouette 👥 calendar 📆 car 🚗 " +
  "city_sunset 🌆 clapper 🎬 clock3 🕒 cloud ☁ coffee ☕ compass 🧭 computer 💻 credit_card 💳 crescent_moon 🌙 " +
  "dart 🎯 dash 💨 department_store 🏬 double_vertical_bar ⏸ droplet 💧 electric_plug 🔌 envelope ✉ eye 👁 " +
  "fast_forward ⏩ file_folder 📁 fire 🔥 footprints 👣 fork_and_knife 🍴 frame_with_picture 🖼 fuelpump ⛽ gear " +
  "⚙ gift 🎁 globe_with_meridians 🌐 heart ❤ heavy_minus_sign ➖ heavy_plus_sign ➕ hourglass_flowing_sand ⏳ " +
  "house 🏠 information_source ℹ iphone 📱 key 🔑 label 🏷 large_blue_circle 🔵 leaves 🍃 lightning 🌩 link 🔗 " +
  "lock 🔒 luggage 🧳 mag 🔍 moneybag 💰 mortar_board 🎓 musical_note 🎵 mute 🔇 newspaper 📰 no_entry_sign 🚫 " +
  "ocean 🌊 office 🏢 outbox_tray 📤 package 📦 page_facing_up 📄 paperclip 📎 partly_sunny ⛅ pencil2 ✏ pill 💊 " +
  "question ❓ rain_cloud 🌧 repeat 🔁 rewind ⏪ ring_buoy 🛟 robot_face 🤖 rocket 🚀 round_pushpin 📍 scales ⚖ " +
  "see_no_evil 🙈 seedling 🌱 shield 🛡 ship 🚢 shopping_trolley 🛒 signal_strength 📶 snowflake ❄ sparkles ✨ " +
  "speech_balloon 💬 straight_ruler 📏 sunny ☀ sunrise 🌅 tada 🎉 telephone_receiver 📞 test_tube 🧪 thermometer " +
  "🌡 thumbsdown 👎 thumbsup 👍 train2 🚆 triangular_flag_on_post 🚩 trophy 🏆 truck 🚚 twisted_rightwards_arrows " +
  "🔀 unlock 🔓 warning ⚠ wastebasket 🗑 weight_lifter 🏋 white_check_mark ✅ white_circle ⚪ x ❌ zap ⚡";
const words = EMOJI.split(" ");
const byName = new Map(words.flatMap((name, at) => (at % 2 ? [] : [[name, words[at + 1]]])));

/**
 * Slack draws every emoji in colour, also by its short name; fonts draw some as outlines unless they are told.
 */
export function coloured(words: string): string {
  return words
    .replace(/:([a-z0-9_]+):/g, (name, short) =>
      byName.has(short) ? `${byName.get(short)}\uFE0F` : name,
    )
    .replace(/\p{Emoji_Presentation}(?!\uFE0F)/gu, "$&\uFE0F");
}
