import { useEffect, useState } from "react";

/** The text once it has not changed for `pauseMs`, so that not every key press calls the server. */
export function useSettledText(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}
