// Questions of the server that are answered by a form, such as whether a tool may be called.

import { useId, useState } from "preact/hooks";
import { say } from "../place";
import type { Answer, Question, QuestionItem } from "../protocol";

function Choices(props: {
  question: Question;
  values: string[];
  onChange(values: string[]): void;
}) {
  const { question, values } = props;
  const name = useId();
  const toggle = (value: string, isOn: boolean) =>
    props.onChange(
      !question.multiple
        ? [value]
        : isOn
          ? [...values, value]
          : values.filter((one) => one !== value),
    );
  return (
    <div class="choices">
      {question.options?.map(({ value }) => (
        <label key={value} class="choice">
          <input
            type={question.multiple ? "checkbox" : "radio"}
            class={question.multiple ? "wc-tick" : "wc-tick wc-dot"}
            name={name}
            checked={values.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          <span dir="auto">{value}</span>
        </label>
      ))}
    </div>
  );
}

function Answered({ question }: { question: Question }) {
  const { values = [], skipped } = question.answer ?? {};
  return (
    <div class="answered">
      <p class="asked" dir="auto">
        {question.question}
      </p>
      <p dir="auto">{skipped || values.length === 0 ? say("passed") : values.join(", ")}</p>
    </div>
  );
}

export function QuestionView(props: {
  item: QuestionItem;
  onAnswer(answers: Record<string, Answer> | undefined): Promise<void>;
}) {
  const { inputs, status } = props.item;
  const [values, setValues] = useState<Record<string, string[]>>({});
  const [isBusy, setBusy] = useState(false);
  if (status !== "pending")
    return (
      <div class="question">
        {inputs.map((question) => (
          <Answered key={question.id} question={question} />
        ))}
      </div>
    );
  const give = async (answers: Record<string, Answer> | undefined) => {
    setBusy(true);
    await props.onAnswer(answers);
    setBusy(false);
  };
  const valuesOf = (id: string) => (values[id] ?? []).filter(Boolean);
  const submit = (event: Event) => {
    event.preventDefault();
    const answers = inputs.map(({ id }): [string, Answer] => {
      const given = valuesOf(id);
      return [id, given.length ? { values: given } : { values: [], skipped: true }];
    });
    give(Object.fromEntries(answers));
  };
  return (
    <form class="question" onSubmit={submit} aria-busy={isBusy}>
      {inputs.map((question) => {
        const change = (next: string[]) => setValues({ ...values, [question.id]: next });
        return (
          <fieldset key={question.id} disabled={isBusy}>
            <legend dir="auto">{question.question}</legend>
            {question.description && <p class="quiet">{question.description}</p>}
            {question.type === "multiple_choice" ? (
              <Choices question={question} values={values[question.id] ?? []} onChange={change} />
            ) : (
              <textarea
                class="entry"
                rows={2}
                dir="auto"
                aria-label={question.question}
                value={values[question.id]?.[0] ?? ""}
                onInput={(event) => change([event.currentTarget.value])}
              />
            )}
          </fieldset>
        );
      })}
      <div class="row">
        <button
          type="submit"
          class="button is-primary"
          disabled={isBusy || !inputs.some(({ id }) => valuesOf(id).length)}
        >
          {say("reply")}
        </button>
        <button type="button" class="button" disabled={isBusy} onClick={() => give(undefined)}>
          {say("pass")}
        </button>
      </div>
    </form>
  );
}
