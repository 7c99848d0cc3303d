/** @jsxImportSource react */
import { Link } from "../part/control";
import { Icon } from "../part/icon";
import { siteOf, webUrl } from "../part/url";
import { type Column, isMissing, kindOf } from "./kind";
import type { Show } from "./show";

export function Cell({ value, column, show }: { value: unknown; column: Column; show: Show }) {
  const text = show(value, column);
  if (isMissing(value)) return <span className="missing">{text}</span>;
  const kind = column.kind === "text" ? kindOf(value) : column.kind;
  if (kind === "boolean")
    return (
      <span className="answer">
        <Icon name={value ? "check" : "cross"} />
        {text}
      </span>
    );
  if (kind === "json") return <code>{text}</code>;
  const url = kind === "link" ? webUrl(value) : undefined;
  if (url)
    return (
      <Link url={url.href}>
        <bdi>{siteOf(url)}</bdi>
      </Link>
    );
  return <bdi>{text}</bdi>;
}
