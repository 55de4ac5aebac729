// Of several questions only the last one counts: an answer that comes late never takes the place of a newer one.
export class Latest {
  private stop = new AbortController();

  /** What was asked before no longer counts. */
  drop(): void {
    this.stop.abort();
  }

  /** Ask; neither `put` nor `fail` hears of it where something was asked since, or this was dropped. */
  ask<T>(load: (signal: AbortSignal) => Promise<T>, put: (found: T) => void, fail: (error: unknown) => void = () => {}): Promise<void> {
    this.drop();
    const { signal } = (this.stop = new AbortController());
    return load(signal).then((found) => void (signal.aborted || put(found)), (error: unknown) => void (signal.aborted || fail(error)));
  }
}
