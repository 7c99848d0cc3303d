export const PAGES: Record<string, string>;

export function buildDisplay(
  tools: {
    bundle(entry: string, extra: object): Promise<string>;
    minifyCss(css: string): Promise<string>;
    page(template: string, style: string, script: string): string;
  },
  out: string,
): Promise<void>;
