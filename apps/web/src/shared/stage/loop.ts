/**
 * When is the next frame made, drawn and told?
 *
 * At most 60 frames a second whatever the display does, one a picture; told at most 15 times a
 * second, because faster numbers flicker. While nothing changes, nothing runs.
 *
 * Whoever asks for something is heard between a frame and its picture where these take long: without a GPU a stage waits for
 * its picture to be painted, and a question that came while the frame was made would wait for both.
 */

/** One frame of the world is 1/60 s. */
const FRAME_MS = 1000 / 60;
/** Displays and timers are late or early by about this much. */
const JITTER_MS = 2;
const REPORT_MS = 1000 / 15;
/** Asked for many steps at once, it draws and listens this often. */
const SLICE_MS = 30;
/** As long as a page takes to show an answer: without a GPU it is painted by whoever paints the stage, one after the other. */
const GIVE_WAY_MS = 45;

/** What the loop runs. */
export interface Performed {
  /** Makes the next frame of the world; `asked` if somebody steps. */
  frame(asked: boolean): void;
  draw(): void;
  /** `stepped` if it is the frame that was asked for. */
  report(fps: number, stepped: boolean): void;
}

export class Loop {
  readonly #performed: Performed;
  readonly #rate = new FrameRate();
  #playing = false;
  #owed = 0;
  #stale = false;
  #scheduled = false;
  #nextFrame = 0;
  #lastReport = 0;
  #unreported = false;
  /** Nothing is made or drawn before. */
  #resumesAt = 0;
  /** It gave way, and has made no frame since. */
  #gaveWay = false;
  /** The next frame is made, and waits for its picture. */
  #isAhead = false;

  constructor(performed: Performed) {
    this.#performed = performed;
  }

  get playing(): boolean {
    return this.#playing;
  }

  /** More frames are to come. */
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
    // The numbers that stay are those of the picture that stays.
    if (this.#unreported) this.report();
    this.redraw();
  }

  /** Makes one more frame. */
  step(): void {
    this.#owed += 1;
    this.#schedule();
  }

  /** Something that is drawn has changed. */
  redraw(): void {
    this.#stale = true;
    this.#schedule();
  }

  /** The numbers are others; they are told with the next picture, or when it pauses. */
  reportSoon(): void {
    this.#unreported = true;
  }

  report(stepped = false): void {
    this.#lastReport = performance.now();
    this.#unreported = false;
    this.#performed.report(this.#playing ? this.#rate.perSecond : 0, stepped);
  }

  /**
   * Who waits for an answer sees that before the next picture of what plays. Whoever holds a key asks again and again: what
   * plays has as much time as the answers, and a frame at least, or it would stand still.
   */
  giveWay(): void {
    const now = performance.now();
    if (!this.#playing || this.#gaveWay || now < this.#resumesAt + GIVE_WAY_MS) return;
    this.#gaveWay = true;
    this.#resumesAt = now + GIVE_WAY_MS;
  }

  /** Nothing more is made, drawn or told until somebody asks again. */
  stop(): void {
    this.#playing = false;
    this.#owed = 0;
    this.#stale = false;
    this.#unreported = false;
    this.#isAhead = false;
  }

  /** `now` is the time of the picture that is being made. */
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
    if (this.#playing) onceHeard(() => this.#makeAhead(now));
  }

  /** A picture that took long is followed by the next frame at once; the next picture waits for what was asked meanwhile. */
  #makeAhead(drawn: number): void {
    const now = performance.now();
    if (!this.#playing || this.#isAhead || now < drawn + FRAME_MS || now < this.#resumesAt) return;
    this.#isAhead = this.#makeDue(now);
  }

  #makeDue(now: number): boolean {
    if (now < this.#nextFrame - JITTER_MS) return false;
    // Frames that came late are lost; it does not run after them.
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

  #makeFrame(asked: boolean): void {
    this.#performed.frame(asked);
    this.#gaveWay = false;
    this.#stale = true;
    this.#unreported = true;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    onNextPicture((now) => this.tick(now));
  }
}

/** Frames a second over the last second; over the last two frames if they took longer. */
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

/** After all that was said to this thread until its picture is painted: that comes between the two. */
function onceHeard(call: () => void): void {
  setTimeout(() => setTimeout(call));
}
