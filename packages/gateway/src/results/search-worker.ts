// The code that runs in the worker threads of `Searcher`.
import { parentPort } from 'node:worker_threads'
import { type Numbered, type SearchJob, searchJob } from './searcher.ts'

parentPort?.on('message', ({ number, of }: Numbered<SearchJob>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ number, of: searchJob(of) })
})
