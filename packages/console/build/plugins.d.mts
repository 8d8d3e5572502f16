import type { Plugin } from "vite";

export function messagesPlugin(): Plugin;
export function announcerPlugin(): Plugin;
