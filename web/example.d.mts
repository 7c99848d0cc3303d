import type { Plugin } from "vite";

export const HELPDESK: string;
export function buildStats(
  widgetcast: (options: { types: false }) => Plugin,
  root: string,
): Promise<string>;
