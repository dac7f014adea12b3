// The code that runs in the worker thread of `Embedder`: it loads the model once and turns texts into vectors.
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ModelFiles } from './load-model.ts'

interface Model {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}

const [, embeddings = '', source = ''] = workerData as ModelFiles
const load = createRequire(import.meta.url)
const { initModel } = load(embeddings) as { initModel: (source: unknown) => Promise<Model> }
const { modelSource } = load(source) as { modelSource: unknown }
const model = initModel(modelSource)

parentPort?.on('message', async ({ number, texts }: { number: number; texts: readonly string[] }) => {
  const vectors = (await (await model).embed(texts)).map(vector => Float32Array.from(vector))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ number, vectors })
})
