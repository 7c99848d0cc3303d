/** How long a wait for something that must come may take, in milliseconds: longer than any busy machine needs. */
export const PATIENCE = 60_000;
