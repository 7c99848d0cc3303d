export const PAGES: Record<string, string>;

export function display(
  tools: {
    script(entry: string, extra: object): Promise<string>;
    sheet(css: string): Promise<string>;
    page(template: string, style: string, script: string): string;
  },
  name: string,
): Promise<string>;
