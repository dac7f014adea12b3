const jobs: (() => unknown)[] = []

/** Remembers what must be undone when the tests of this file are over. */
export function later(job: () => unknown): void {
  jobs.push(job)
}

/** Undoes everything, the last thing first. Give it to `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await job()
}
