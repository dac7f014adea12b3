import { bundleWhenStale } from '../../scripts/bundle.mjs'
import { say, withLock } from '../../scripts/ready.mjs'

/**
 * Builds the bundle before tests that start the command: with it, each of a thousand starts takes a third of the
 * time. Without it, or after a newer tsc build, the command runs the modules, so only the duration changes.
 */
export default async function bundleFirst({ vitest }) {
  const isStarted = vitest.state.getPaths().some(path => path.startsWith(`${vitest.config.root}/test/`))
  if (!isStarted) return
  await withLock(() => bundleWhenStale(say)).catch(error =>
    say(`tests run without a bundle: ${error.message}`),
  )
}
