// Tools at work: workflows and their tasks.

import { say } from "../place";
import type { Source, Task, Workflow } from "../protocol";
import { Icon, ServerIcon } from "./icon";
import { Spinner, Text } from "./part";

const WEB = /^https?:\/\//i;

/** Where something was found; only addresses of the web become links. */
export function Sources({ sources }: { sources: Source[] }) {
  return (
    <ul class="sources" aria-label={say("sources")}>
      {sources.map((source, at) => (
        <li key={at}>
          {source.url && WEB.test(source.url) ? (
            <a href={source.url} target="_blank" rel="noopener noreferrer">
              {source.title}
            </a>
          ) : (
            <span>{source.title || source.filename}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Mark({ task }: { task: Task }) {
  const { status_indicator: status, icon } = task;
  if (status === "loading")
    return (
      <span class="task-mark">
        <Spinner />
        <span class="unseen">{say("running")}</span>
      </span>
    );
  if (status === "complete")
    return (
      <span class="task-mark is-done">
        <Icon name="check" size={16} />
        <span class="unseen">{say("done")}</span>
      </span>
    );
  return <span class="task-mark">{icon ? <ServerIcon name={icon} /> : <i class="dot" />}</span>;
}

export function TaskView({ task }: { task: Task }) {
  const title = task.title ?? task.queries?.join(", ");
  return (
    <div class="task">
      <Mark task={task} />
      <div>
        {title && <p dir="auto">{title}</p>}
        {task.content && <Text value={task.content} />}
        {task.sources && task.sources.length > 0 && <Sources sources={task.sources} />}
      </div>
    </div>
  );
}

function summaryOf({ summary, tasks }: Workflow): string {
  if (summary && "title" in summary) return summary.title;
  if (summary && "duration" in summary) return say("thought", { n: summary.duration });
  const running = tasks.findLast((task) => task.status_indicator === "loading");
  return running?.title ?? say("steps", { n: tasks.length });
}

export function WorkflowView({ workflow, isOpen }: { workflow: Workflow; isOpen: boolean }) {
  return (
    <details class="workflow" open={workflow.expanded === true || isOpen}>
      <summary>
        {isOpen ? <Spinner /> : <Icon name="check" size={16} />}
        <span dir="auto">{summaryOf(workflow)}</span>
        <Icon name="fold" size={16} />
      </summary>
      {workflow.tasks.map((task, at) => (
        <TaskView key={at} task={task} />
      ))}
    </details>
  );
}
