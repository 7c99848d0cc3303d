// Which hosts are drawn, and under which conditions.

import { HOSTS } from "./hosts";
import { Icon } from "./icon";
import { Copy, classes } from "./part";
import {
  CONDITION_NAMES,
  CONDITIONS,
  type Condition,
  type Conditions,
  changed,
  DEFAULT_CONDITIONS,
  type Play,
} from "./play";

const NAMES: Record<Condition, string> = {
  theme: "Theme",
  locale: "Locale",
  direction: "Direction",
  device: "Width",
  area: "Safe area",
  mode: "Display mode",
  motion: "Motion",
  outcome: "Tool call",
  meta: "_meta",
};
const WORDS: Record<string, string> = {
  "theme page": "Same as this page",
  "theme host": "Host default",
  "direction locale": "From the locale",
  "direction ltr": "Left to right",
  "direction rtl": "Right to left",
  "device host": "Host default",
  "area none": "None",
  "area phone": "Phone",
  "mode pip": "Picture in picture",
  "outcome result": "Succeeds",
  "outcome slow": "Is slow",
  "outcome failing": "Fails",
  "outcome cancelled": "Is cancelled",
  "outcome partial": "Streams its input",
  "meta kept": "Kept",
  "meta stripped": "Stripped by the host",
};

function word(name: Condition, value: string): string {
  if (name === "device" && value !== "host") return `${value} px`;
  if (name === "locale") {
    const language = new Intl.DisplayNames("en", { type: "language" }).of(value);
    return `${language}`;
  }
  return WORDS[`${name} ${value}`] ?? value.charAt(0).toUpperCase() + value.slice(1);
}

interface PanelProps {
  play: Play;
  onPlay(play: Play): void;
}

/** The hosts to choose from. */
export function Chips({ play, onPlay }: PanelProps) {
  const press = (id: string) => {
    if (play.only !== undefined) {
      const hosts = play.hosts.includes(id) ? play.hosts : [...play.hosts, id];
      onPlay({ ...play, hosts, only: id });
    } else if (!play.hosts.includes(id)) onPlay({ ...play, hosts: [...play.hosts, id] });
    else if (play.hosts.length > 1)
      onPlay({ ...play, hosts: play.hosts.filter((one) => one !== id) });
  };
  return (
    <fieldset class="host-chips" aria-label="Hosts">
      {HOSTS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          class="host-chip"
          aria-pressed={play.only === undefined ? play.hosts.includes(id) : play.only === id}
          onClick={() => press(id)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/** What is done with all of them. */
export function Tools(
  props: PanelProps & {
    /** Whether the conditions are shown. */
    open: boolean;
    onOpen(open: boolean): void;
    /** The address that restores all of this; nothing if the data is too large for one. */
    link: string | undefined;
  },
) {
  const { play, onPlay, open, onOpen } = props;
  const count = Object.keys(changed(play.conditions)).length;
  return (
    <div class="tools">
      <button
        type="button"
        class={classes("button small", count > 0 && "on")}
        aria-expanded={open}
        onClick={() => onOpen(!open)}
      >
        <Icon name="sliders" size={15} /> Conditions{count > 0 && ` (${count})`}
      </button>
      <button
        type="button"
        class="button small"
        onClick={() =>
          onPlay({ ...play, only: play.only === undefined ? play.hosts[0] : undefined })
        }
      >
        <Icon name={play.only === undefined ? "large" : "grid"} size={15} />
        {play.only === undefined ? "One at a time" : "Side by side"}
      </button>
      {props.link ? (
        <Copy text={props.link} label="Copy a link to this setup" words="Link" icon="link" wide />
      ) : (
        <span class="quiet">Too much data for a link</span>
      )}
    </div>
  );
}

export function Choices(props: { conditions: Conditions; onChange(conditions: Conditions): void }) {
  const { conditions, onChange } = props;
  return (
    <fieldset class="conditions" aria-label="Conditions">
      {CONDITION_NAMES.map((name) => (
        <div key={name}>
          <label for={`condition-${name}`}>{NAMES[name]}</label>
          <select
            id={`condition-${name}`}
            value={conditions[name]}
            onChange={(event) =>
              onChange({ ...conditions, [name]: event.currentTarget.value } as Conditions)
            }
          >
            {CONDITIONS[name].map((value) => (
              <option key={value} value={value}>
                {word(name, value)}
              </option>
            ))}
          </select>
        </div>
      ))}
      <button type="button" class="button bare small" onClick={() => onChange(DEFAULT_CONDITIONS)}>
        <Icon name="reset" size={14} /> Reset
      </button>
    </fieldset>
  );
}
