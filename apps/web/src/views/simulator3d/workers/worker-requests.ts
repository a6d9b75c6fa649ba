/**
 * Pending requests to the worker, by number.
 *
 * Each response carries the number of its request. Requests that are lost with their worker are
 * resolved with null.
 */
import type { CommitCallback } from '../../../shared/ui/form-entry.ts';
import type { Source, Whereabouts } from './protocol.ts';
import { t3d } from '../i18n/translate.ts';

/** The form that shows an error. */
export type RequestSource = 'file' | 'rules' | 'body' | 'objects';

/** The saved scene; `null` if the worker failed. */
export type SavedScene = { text: string; whereabouts: Whereabouts } | null;

export interface WorkerRequest {
  by: RequestSource;
  source?: Source;
  /** Opened in place of a rejected scene, whose error stays visible. */
  isInstead?: boolean;
  /** Step to go to from where it is opened. */
  goTo?: number;
  /** Chosen while another world was shown, which is saved first, by this request. */
  leaves?: { requestId: number; saving: Promise<SavedScene> };
  saved?: (scene: SavedScene) => void;
  /** Called when the edit is applied. */
  done?: (() => void) | undefined;
  /** A field that shows the error itself. */
  onResult?: CommitCallback | undefined;
}

export class WorkerRequests {
  #last = 0;
  readonly #open = new Map<number, WorkerRequest>();

  request(pendingRequest: WorkerRequest): number {
    const number = this.number();
    this.#open.set(number, pendingRequest);
    return number;
  }

  /** For messages that are only acknowledged. */
  number(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Removes and returns the request of a response. */
  take(requestId: number): WorkerRequest | undefined {
    const pendingRequest = this.#open.get(requestId);
    this.#open.delete(requestId);
    return pendingRequest;
  }

  get isOpening(): boolean {
    return [...this.#open.values()].some(({ source }) => source !== undefined);
  }

  /** A replacement worker has been sent its scene and nothing else. */
  dropAllButOpenings(): void {
    for (const [requestId, { source, saved, onResult }] of [...this.#open]) {
      if (source !== undefined) continue;
      this.#open.delete(requestId);
      saved?.(null);
      onResult?.({ text: () => t3d('problem.lost') });
    }
  }

  /** Unanswered requests will get no response. */
  dropAll(): void {
    this.dropAllButOpenings();
    this.#open.clear();
  }
}
