/** @jsxImportSource react */
// A text in Markdown, drawn safely, also while it is still being written. A long one shows its beginning,
// and the whole full screen; where there is none, the whole in its place.

import { words } from "@widgetcast/i18n/display/document";
import { mount, usePlace, useWords } from "../part/app";
import { beginning } from "../part/beginning";
import { Button, Empty, Header, ModeButtons, Skeleton, useExpand } from "../part/control";
import { useAsk, useCopy } from "../part/host";
import { type Fields, textOf } from "../part/list";
import { Load } from "../part/load";
import { Markdown } from "../part/markdown";

const SAMPLE = `# The perfect pizza at home

A very hot oven matters more than any **secret ingredient**. Give the dough time, keep the topping light, and *stop fiddling with it*.

## Dough for four

| Ingredient | Amount | Share of flour |
|:--|--:|--:|
| Strong flour | 600 g | 100 % |
| Water | 390 g | 65 % |
| Salt | 15 g | 2.5 % |
| Dry yeast | 2 g | 0.3 % |

## Steps

1. Mix flour and water and let them rest for 30 minutes.
2. Add salt and yeast, then knead until smooth.
3. Let it rise:
   - 2 hours at room temperature, or
   - 24 hours in the fridge for more flavour.
4. Heat the oven as far as it goes, with a stone or a steel inside.

> If the dough springs back when you stretch it, wait ten minutes. It is not you, it is the gluten.

- [x] Oven at 250 °C
- [ ] Basil goes on *after* baking

\`\`\`text
weight of a ball = 1000 g / 4 = 250 g
\`\`\`
`;

interface Data {
  title?: string | undefined;
  text: string;
}

const read = ({ markdown, title }: Fields, text: string): Data | undefined =>
  typeof markdown === "string"
    ? { title: textOf(title), text: markdown }
    : text
      ? { text }
      : undefined;

function Document({ title, text, isDone = true }: Data & { isDone?: boolean }) {
  const say = useWords(words);
  const { mode } = usePlace();
  const ask = useAsk();
  const copy = useCopy();
  const expand = useExpand();
  const shown = isDone && expand ? beginning(text) : text;
  const isMore = shown !== text;
  // A text that begins with its title needs no other.
  const own = /^\s*#\s+(.+)/.exec(text)?.[1]?.trim();
  const name = title ?? own ?? say("title");
  const isNamed = own !== undefined && own === name;
  return (
    <article className="document">
      <div className="tools leave">
        <ModeButtons isMore={mode === "pip"} />
      </div>
      {!isNamed && <Header title={name} />}
      {text.trim() ? (
        <Markdown text={shown} top={isNamed ? 0 : 1} />
      ) : (
        <Empty icon="info" title={say("none")} />
      )}
      {isDone && text.trim() && mode !== "pip" && (
        <footer className="row">
          {isMore && (
            <Button kind="primary" icon="expand" onClick={() => expand?.()}>
              {say("whole")}
            </Button>
          )}
          {ask && (
            <Button
              kind={isMore ? "secondary" : "primary"}
              icon="chat"
              onClick={() => ask(say("prompt", { title: name }))}
            >
              {say("sum")}
            </Button>
          )}
          {!isMore && (
            <Button
              icon="copy"
              onClick={() => copy(text, { name: "document.md", type: "text/markdown" })}
            >
              {say("copy")}
            </Button>
          )}
        </footer>
      )}
    </article>
  );
}

mount(() => (
  <Load
    read={read}
    takes="{ title?, markdown: string }"
    sample={{ text: SAMPLE }}
    wait={({ markdown, title }) =>
      typeof markdown === "string" ? (
        <Document title={textOf(title)} text={markdown} isDone={false} />
      ) : (
        <Skeleton lines={6} />
      )
    }
  >
    {(data) => <Document {...data} />}
  </Load>
));
