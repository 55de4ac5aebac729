import { signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
export const theme = signal<Theme>("auto");
