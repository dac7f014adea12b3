const jobs: (() => unknown)[] = []

/** Registers work to undo after the tests of this file. */
export function later(job: () => unknown): void {
  jobs.push(job)
}

/** Undoes everything, the last registration first. Pass it to `afterAll`. */
export async function cleanUp(): Promise<void> {
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) await job()
}
