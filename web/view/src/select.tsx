/** @jsxImportSource #jsx */

import type { PartOf } from "./context";
import { Select as Control } from "./markup/select";
import { useField } from "./use-field";

export function Select(part: PartOf<"Select">) {
  const field = useField(part);
  const { locale } = part.context.options;
  return <Control props={part.props} field={field} locale={locale} onChoose={field.change} />;
}
