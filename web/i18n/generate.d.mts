export function textModules(): Record<string, string>;
