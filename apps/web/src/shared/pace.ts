/** How often may something happen? */

/** Runs at most once in `pause` milliseconds; the last call is never lost. */
export function atMostEvery<Given>(pause: number, run: (given: Given) => void): (given: Given) => void {
  let nextAt = 0;
  let timer: number | undefined;
  let latest: Given;
  const now = (): void => {
    timer = undefined;
    nextAt = performance.now() + pause;
    run(latest);
  };
  return (given) => {
    latest = given;
    if (timer === undefined) {
      const wait = nextAt - performance.now();
      if (wait <= 0) {
        now();
      } else {
        timer = window.setTimeout(now, wait);
      }
    }
  };
}
