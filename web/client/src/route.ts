// Which message of the bridge, and which member of `window.openai`, serves each ability.
//
// Where a capability of the host covers a message, the bridge is used, because there it is known what
// comes back. What no capability covers (closing, display mode, size, state, files) is asked of
// `window.openai` first. Nothing asks which host this is: hosts have any part of either.

import type { Ability, HostCapabilities, OpenAi, Permission } from "./types.js";
import { RESOURCES_READ, TOOLS_CALL } from "./wire.js";

type Route = [
  /** The message of the bridge; none if it is empty. */
  method?: string,
  /** The capability that covers the message; none if it is empty. */
  capability?: keyof HostCapabilities | "",
  /** The member of `window.openai`; none if it is empty. */
  member?: keyof OpenAi | "",
  isNotification?: true,
];

const TABLE: Record<Exclude<Ability, Permission>, Route> = {
  callTool: [TOOLS_CALL, "serverTools", "callTool"],
  cancel: ["notifications/cancelled", "serverTools"],
  progress: ["notifications/progress", "serverTools"],
  sendMessage: ["ui/message", "message", "sendFollowUpMessage"],
  updateModelContext: ["ui/update-model-context", "updateModelContext"],
  openLink: ["ui/open-link", "openLinks", "openExternal"],
  downloadFile: ["ui/download-file", "downloadFile"],
  readResource: [RESOURCES_READ, "serverResources"],
  log: ["notifications/message", "logging", "", true],
  requestDisplayMode: ["ui/request-display-mode", "", "requestDisplayMode"],
  requestClose: ["ui/notifications/request-teardown", "", "requestClose", true],
  reportSize: ["ui/notifications/size-changed", "", "notifyIntrinsicHeight", true],
  setState: ["", "", "setWidgetState"],
  uploadFile: ["", "", "uploadFile"],
  selectFiles: ["", "", "selectFiles"],
  getFileDownloadUrl: ["", "", "getFileDownloadUrl"],
  requestModal: ["", "", "requestModal"],
  setOpenInAppUrl: ["", "", "setOpenInAppUrl"],
};

/** Permissions have no route: the host's sandbox grants them or not. */
export const routes: Partial<Record<Ability, Route>> = TABLE;
