/**
 * Frame loop: schedules simulation frames, drawing and reports.
 *
 * At most 60 frames per second whatever the display's rate, one per picture; reports at most 15
 * times per second, because faster numbers flicker. Idle while nothing changes.
 *
 * Where pictures are slow, messages are processed between a frame and its picture: without a GPU
 * the worker blocks until its picture is painted, and a request that arrived during the frame would
 * wait for both.
 */

/** A frame of the world is 1/60 s. */
const FRAME_MS = 1000 / 60;
/** Jitter of displays and timers. */
const JITTER_MS = 2;
const REPORT_MS = 1000 / 15;
/** When many steps are requested at once, it draws and processes messages at this interval. */
const SLICE_MS = 30;
/**
 * Time for the page to show a response: without a GPU, page and stage are painted by the same
 * thread, one after the other.
 */
const YIELD_MS = 45;

/** Callbacks of the loop. */
export interface LoopCallbacks {
  /** Simulates the next frame; `isRequested` if the user steps. */
  frame(isRequested: boolean): void;
  draw(): void;
  /** `stepped` if it is the requested frame. */
  report(fps: number, stepped: boolean): void;
}

export class FrameLoop {
  readonly #performed: LoopCallbacks;
  readonly #rate = new FrameRate();
  #playing = false;
  #owed = 0;
  #stale = false;
  #scheduled = false;
  #nextFrame = 0;
  #lastReport = 0;
  #unreported = false;
  /** Time before which nothing is simulated or drawn. */
  #resumesAt = 0;
  /** Has yielded and simulated no frame since. */
  #hasYielded = false;
  /** The next frame is simulated and waits for its picture. */
  #isAhead = false;

  constructor(performed: LoopCallbacks) {
    this.#performed = performed;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** More frames are scheduled. */
  get running(): boolean {
    return this.#playing || this.#owed > 0;
  }

  play(): void {
    this.#playing = true;
    this.#rate.clear();
    this.#schedule();
  }

  pause(): void {
    this.#playing = false;
    this.#owed = 0;
    this.#rate.clear();
    // The final report belongs to the final picture.
    if (this.#unreported) this.report();
    this.redraw();
  }

  /** Simulates one frame. */
  step(): void {
    this.#owed += 1;
    this.#schedule();
  }

  /** Something visible has changed. */
  redraw(): void {
    this.#stale = true;
    this.#schedule();
  }

  /** The numbers have changed: reported with the next picture, or on pause. */
  reportSoon(): void {
    this.#unreported = true;
  }

  report(stepped = false): void {
    this.#lastReport = performance.now();
    this.#unreported = false;
    this.#performed.report(this.#playing ? this.#rate.perSecond : 0, stepped);
  }

  /**
   * Yields so that the page can show a response before the next picture of a running scene. With
   * auto-repeated keys requests come continuously; the loop then alternates between responses and
   * at least one frame, or the scene would stop.
   */
  yieldToPage(): void {
    const now = performance.now();
    if (!this.#playing || this.#hasYielded || now < this.#resumesAt + YIELD_MS) return;
    this.#hasYielded = true;
    this.#resumesAt = now + YIELD_MS;
  }

  /** Stops simulating, drawing and reporting until the next request. */
  stop(): void {
    this.#playing = false;
    this.#owed = 0;
    this.#stale = false;
    this.#unreported = false;
    this.#isAhead = false;
  }

  /** `now` is the timestamp of the picture that is being made. */
  tick(now: number): void {
    this.#scheduled = false;
    if (this.#playing && now < this.#resumesAt) {
      this.#schedule();
      return;
    }
    const steps = this.#owed > 0;
    if (steps) {
      this.#makeOwed();
    } else if (this.#playing && !this.#isAhead) {
      this.#makeDue(now);
    }
    this.#isAhead = false;
    if (this.#stale) {
      this.#stale = false;
      this.#performed.draw();
    }
    const due = now >= this.#lastReport + REPORT_MS - JITTER_MS;
    const stepped = steps && this.#owed === 0;
    if (this.#unreported && (due || stepped)) this.report(stepped);
    if (this.running) this.#schedule();
    if (this.#playing) afterMessages(() => this.#simulateAhead(now));
  }

  /**
   * After a slow picture the next frame is simulated at once; its picture waits for the messages
   * that arrived meanwhile.
   */
  #simulateAhead(drawn: number): void {
    const now = performance.now();
    if (!this.#playing || this.#isAhead || now < drawn + FRAME_MS || now < this.#resumesAt) return;
    this.#isAhead = this.#makeDue(now);
  }

  #makeDue(now: number): boolean {
    if (now < this.#nextFrame - JITTER_MS) return false;
    // Late frames are dropped, not caught up.
    this.#nextFrame = Math.max(this.#nextFrame + FRAME_MS, now);
    this.#makeFrame(false);
    this.#rate.add(performance.now());
    return true;
  }

  #makeOwed(): void {
    const until = performance.now() + SLICE_MS;
    while (this.#owed > 0 && performance.now() < until) {
      this.#owed -= 1;
      this.#makeFrame(true);
    }
  }

  #makeFrame(isRequested: boolean): void {
    this.#performed.frame(isRequested);
    this.#hasYielded = false;
    this.#stale = true;
    this.#unreported = true;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    onNextPicture((now) => this.tick(now));
  }
}

/** Frames per second over the last second, or over the last two frames if they took longer. */
export class FrameRate {
  readonly #times: number[] = [];

  add(time: number): void {
    this.#times.push(time);
    while (this.#times.length > 2 && (this.#times[0] ?? time) < time - 1000) this.#times.shift();
  }

  clear(): void {
    this.#times.length = 0;
  }

  get perSecond(): number {
    const first = this.#times[0];
    const last = this.#times.at(-1);
    if (first === undefined || last === undefined || last <= first) return 0;
    return ((this.#times.length - 1) * 1000) / (last - first);
  }
}

function onNextPicture(call: (now: number) => void): void {
  if (typeof requestAnimationFrame === 'function') {
    requestAnimationFrame(call);
  } else {
    setTimeout(() => call(performance.now()), FRAME_MS);
  }
}

/**
 * Runs `call` after the messages that are queued on this thread when the picture is submitted, and
 * before the next picture.
 */
function afterMessages(call: () => void): void {
  setTimeout(() => setTimeout(call));
}
