/**
 * Which scene does the reader ask for, and which one runs?
 *
 *     draft ──ask──► question under way ──started, changed──► running, and in the address
 *       ▲                   │ refused
 *       └──── problems ◄────┘      (a link is asked again, with the usual values where it is wrong)
 *
 * The form's words are a draft; only what the engine accepted is `running`, and stays so when the next draft
 * is refused. Every question has a number and every answer names it. Promise: an answer to an older question
 * says what runs, and nothing about the draft.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';

import type { FieldName, Read } from './address.ts';
import type { Catalogue, FromWorker, Parameters, Problem } from './protocol.ts';

/** A typed number counts when the typing has paused. */
const TYPING_MS = 400;

/** What was asked for, and what runs if the engine accepts it. */
export interface Question {
  ask: number;
  /** A new world, or the same one with another technique. */
  kind: 'start' | 'change';
  scene: Parameters;
  /** The form that the answer is about; more may be typed before it comes. */
  draft: Parameters | null;
  /** Where it comes from a link. */
  link: Link | null;
}

interface Link {
  /** Fields that could not be taken. */
  untaken: readonly FieldName[];
  /** The fields that the engine refused have their usual values already. */
  triedUsual: boolean;
  selected: number | null;
}

/** Who carries the questions to the engine, and tells the reader what came of them. */
export interface Carrier {
  ask(question: Question): void;
  refused(problem: Problem): void;
  /** What was said of a refusal is not so any more. */
  mended(): void;
  /** The scene of a link runs, but for these fields. */
  opened(untaken: readonly FieldName[]): void;
}

export type Answer = Extract<FromWorker, { kind: 'started' | 'changed' | 'refused' }>;

export class Scene {
  readonly catalogue = signal<Catalogue | null>(null);
  readonly draft = signal<Parameters | null>(null);
  readonly running = signal<Parameters | null>(null);
  readonly problems = signal<readonly Problem[]>([]);
  readonly isAsking: ReadonlySignal<boolean> = computed(() => this.#question.value !== null);
  /** The draft as it is was refused: another scene runs. What was typed since has not been judged yet. */
  readonly isRefused: ReadonlySignal<boolean> = computed(
    () => this.problems.value.length > 0 && !this.isAsking.value && this.draft.value === this.#judged.value,
  );

  readonly #carrier: Carrier;
  readonly #question = signal<Question | null>(null);
  /** The draft of which the problems are. */
  readonly #judged = signal<Parameters | null>(null);
  #asks = 0;
  /** The last world that the engine refused, while the form still holds it. */
  #refused: Parameters | null = null;
  #whenAnswered: (() => void) | null = null;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  /** Takes a change of the form, now or when the typing has paused. */
  edit(change: Partial<Parameters>, when: 'now' | 'typing'): void {
    if (this.draft.value === null) return;
    this.draft.value = this.#withUsedCell({ ...this.draft.value, ...change });
    clearTimeout(this.#typing);
    if (when === 'now') this.apply();
    else this.#typing = setTimeout(() => this.apply(), TYPING_MS);
  }

  /** Asks the engine for the scene of the draft, if it is another one. */
  apply(): void {
    clearTimeout(this.#typing);
    const [draft, question] = [this.draft.value, this.#question.value];
    const expected = question?.scene ?? this.running.value;
    if (draft === null) return;
    const changed = changedFields(draft, expected);
    // A world that was refused just now would be again; its technique can be changed all the same.
    const isRefused = this.#refused !== null && !changedFields(draft, this.#refused).some(isOfWorld);
    if (changed.length === 0) {
      if (question === null) this.#setProblems([], draft);
    } else if (expected !== null && question?.kind !== 'start' && (isRefused || !changed.some(isOfWorld))) {
      const { technique, cellSize } = draft;
      if (!changed.every(isOfWorld)) this.#ask('change', { ...expected, technique, cellSize });
      else if (question === null) this.#judged.value = draft;
    } else {
      this.#ask('start', draft);
    }
  }

  /** The scene that runs, from its start. */
  reset(): void {
    // That says nothing about the form.
    if (this.running.value !== null) this.#ask('start', this.running.value, null, this.#judged.value);
  }

  /** Shows what a link says. */
  open({ shown, unreadable }: Read): void {
    clearTimeout(this.#typing);
    this.draft.value = shown.parameters;
    this.#refused = null;
    this.#ask('start', shown.parameters, { untaken: unreadable, triedUsual: false, selected: shown.selected });
  }

  hear(answer: Answer): void {
    const question = answer.ask === this.#question.value?.ask ? this.#question.value : null;
    batch(() => {
      if (answer.kind !== 'refused') this.running.value = answer.parameters;
      if (question === null) return;
      this.#question.value = null;
      if (answer.kind === 'refused') this.#refuse(question, answer.problems);
      else this.#accept(question, answer.parameters);
    });
    if (this.#question.value === null) this.#runWaiting();
  }

  /** Runs when the engine has answered what it was asked last: now, if nothing is open. */
  onceAnswered(run: () => void): void {
    this.#whenAnswered = run;
    if (this.#question.value === null) this.#runWaiting();
  }

  /** Nothing that was asked will be answered. */
  lost(): void {
    this.#question.value = null;
    this.#whenAnswered = null;
  }

  close(): void {
    clearTimeout(this.#typing);
    this.lost();
  }

  #ask(kind: Question['kind'], scene: Parameters, link: Link | null = null, draft = this.draft.value): void {
    this.#asks += 1;
    const question = { ask: this.#asks, kind, scene, draft, link };
    this.#question.value = question;
    this.#carrier.ask(question);
  }

  #accept({ link, draft: judged }: Question, running: Parameters): void {
    // A reset or another technique mends no field that is still wrong.
    const draft = this.draft.value;
    const isMended = draft === null || !changedFields(draft, running).some(isOfWorld);
    if (isMended) this.#refused = null;
    this.#setProblems(isMended ? [] : this.#problemsOfWorld(), judged);
    if (link !== null) {
      const isThere = link.selected === null || link.selected < running.objects;
      this.#carrier.opened([...new Set(isThere ? link.untaken : [...link.untaken, 'selected' as const])]);
    }
  }

  #refuse(question: Question, problems: readonly Problem[]): void {
    const { kind, scene, link } = question;
    const usual = link === null ? [] : this.#fieldsToMend(scene, link, problems);
    if (link !== null && usual.length > 0) {
      const defaults = this.catalogue.value?.defaults ?? scene;
      const mended = { ...scene, ...Object.fromEntries(usual.map((field) => [field, defaults[field]])) };
      this.draft.value = mended;
      this.#ask('start', mended, { ...link, untaken: [...link.untaken, ...usual], triedUsual: true });
      return;
    }
    const isOfThisWorld = problems.some(({ field }) => isOfWorld(field));
    if (isOfThisWorld) this.#refused = scene;
    // Asked only for another technique, the engine says nothing about the rest of the form.
    this.#setProblems(kind === 'change' ? [...this.#problemsOfWorld(), ...problems] : problems, question.draft);
    const [first] = problems;
    if (first !== undefined) this.#carrier.refused(first);
    // A technique that was chosen with it can serve the world that goes on.
    const draft = this.draft.value;
    if (isOfThisWorld && draft !== null && !changedFields(draft, scene).some(isOfWorld)) this.apply();
  }

  /** A link that cannot be: first only the fields that are wrong, if the engine names them, then everything. */
  #fieldsToMend(scene: Parameters, link: Link, problems: readonly Problem[]): (keyof Parameters)[] {
    const defaults = this.catalogue.value?.defaults ?? scene;
    const wrong = problems.flatMap(({ field }) => (field === 'parameters' ? [] : [field]));
    return link.triedUsual || wrong.length < problems.length ? changedFields(scene, defaults) : wrong;
  }

  #problemsOfWorld(): readonly Problem[] {
    return this.problems.value.filter(({ field }) => isOfWorld(field));
  }

  #setProblems(problems: readonly Problem[], judged: Parameters | null): void {
    this.#carrier.mended();
    this.problems.value = problems;
    this.#judged.value = judged;
  }

  #runWaiting(): void {
    const run = this.#whenAnswered;
    this.#whenAnswered = null;
    run?.();
  }

  /** A size of cells that the form no longer shows is not left empty: nobody could see it to mend it. */
  #withUsedCell(draft: Parameters): Parameters {
    const technique = this.catalogue.value?.techniques.find(({ name }) => name === draft.technique);
    const usual = this.running.value?.cellSize ?? this.catalogue.value?.defaults.cellSize;
    const isShown = technique?.takesCell ?? true;
    return isShown || Number.isFinite(draft.cellSize) || usual === undefined ? draft : { ...draft, cellSize: usual };
  }
}

/** Whether a change of it needs a new world; a technique can be changed while the world goes on. */
function isOfWorld(field: Problem['field']): boolean {
  return field !== 'technique' && field !== 'cellSize';
}

function changedFields(one: Parameters, other: Parameters | null): (keyof Parameters)[] {
  const fields = Object.keys(one) as (keyof Parameters)[];
  return fields.filter((field) => !Object.is(one[field], other?.[field]));
}
