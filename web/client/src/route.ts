// Which message of the bridge, and which member of `window.openai`, serves each ability.
//
// Where a capability of the host covers a message, the bridge is used, because there it is known what
// comes back. What no capability covers (closing, display mode, size, state, files) is asked of
// `window.openai` first. Nothing asks which host this is: hosts have any part of either.

import type { Ability, HostCapabilities, OpenAi } from "./types.js";
import { RESOURCES_READ, TOOLS_CALL } from "./wire.js";

export interface Route {
  /** The message of the bridge. */
  method?: string;
  /** The message is a notification. */
  isNotification?: true;
  /** The capability that covers the message. */
  capability?: keyof HostCapabilities;
  /** The member of `window.openai`. */
  member?: keyof OpenAi;
}

export const ROUTES: Record<Ability, Route> = {
  callTool: { method: TOOLS_CALL, capability: "serverTools", member: "callTool" },
  sendMessage: { method: "ui/message", capability: "message", member: "sendFollowUpMessage" },
  openLink: { method: "ui/open-link", capability: "openLinks", member: "openExternal" },
  requestDisplayMode: { method: "ui/request-display-mode", member: "requestDisplayMode" },
  requestClose: {
    method: "ui/notifications/request-teardown",
    isNotification: true,
    member: "requestClose",
  },
  reportSize: {
    method: "ui/notifications/size-changed",
    isNotification: true,
    member: "notifyIntrinsicHeight",
  },
  setState: { member: "setWidgetState" },
  uploadFile: { member: "uploadFile" },
  getFileDownloadUrl: { member: "getFileDownloadUrl" },
  readResource: { method: RESOURCES_READ, capability: "serverResources" },
  log: { method: "notifications/message", isNotification: true, capability: "logging" },
  updateModelContext: { method: "ui/update-model-context", capability: "updateModelContext" },
  downloadFile: { method: "ui/download-file", capability: "downloadFile" },
};
