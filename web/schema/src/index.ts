export * from "./schema";
export * from "./value";
