export { ClientProvider, useClient } from "./client.js";
export {
  type UserAgent,
  useCan,
  useDisplayMode,
  useHostContext,
  useLocale,
  useMaxHeight,
  useSafeArea,
  useTheme,
  useUserAgent,
  useView,
  useViewState,
} from "./host.js";
export {
  type CallTool,
  useCallTool,
  useTool,
  useToolInput,
  useToolInputPartial,
  useToolOutput,
  useToolResponseMetadata,
  useToolResult,
} from "./tool.js";
