// An image of the home, drawn: fetched with the page key, which an <img> would not send, and never markup.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, send } from "../api.ts";
import { agent } from "../router.ts";
import { T } from "../texts.ts";

const WIDEST = 480; // pixels; what is larger is drawn smaller

export function Picture({ path }: { path: string }): JSX.Element | null {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const left = new AbortController();
    setLost(false);
    void drawn(path, left.signal, canvas).catch(() => {
      if (!left.signal.aborted) setLost(true); // gone, or of a kind that no browser draws: its words are there
    });
    return () => left.abort();
  }, [path]);
  return lost ? null : <canvas ref={canvas} class="picture" role="img" aria-label={T.search.picture(path)} width="1" height="1" />;
}

async function drawn(path: string, signal: AbortSignal, canvas: { current: HTMLCanvasElement | null }): Promise<void> {
  const response = await send("GET", addressOf("/image", {}, { path, agent: agent.value }), { signal });
  const image = await createImageBitmap(await response.blob());
  const place = canvas.current;
  if (place && !signal.aborted) {
    const scale = Math.min(1, WIDEST / image.width);
    place.width = Math.max(1, Math.round(image.width * scale));
    place.height = Math.max(1, Math.round(image.height * scale));
    place.getContext("2d")?.drawImage(image, 0, 0, place.width, place.height);
  }
  image.close();
}
