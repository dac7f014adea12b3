import { bundleWhenStale } from '../../scripts/bundle.mjs'
import { say, withLock } from '../../scripts/ready.mjs'

/**
 * Before tests that start the command: from a bundle each of a thousand starts takes a third. Where tsc has built since,
 * the command would run without one, so this is never about what is tested, only about how long it takes.
 */
export default async function bundleFirst({ vitest }) {
  const isStarted = vitest.state.getPaths().some(path => path.startsWith(`${vitest.config.root}/test/`))
  if (!isStarted) return
  await withLock(() => bundleWhenStale(say)).catch(error =>
    say(`tests run without a bundle: ${error.message}`),
  )
}
