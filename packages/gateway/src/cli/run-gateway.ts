import { createReloader } from '../config/reloader.ts'
import { HintgateError } from '../errors.ts'
import { Gateway } from '../main.ts'
import { renderError, surviveFaults } from './context.ts'
import { findLocalPrincipal } from './local-principal.ts'
import { type OpenFlags, openPremises, type Premises } from './open-premises.ts'

export type ServeFlags = OpenFlags

export interface StdioFlags extends ServeFlags {
  readonly agent?: string
  readonly server?: string
  readonly direct?: boolean
}

interface Opened extends Premises {
  readonly gateway: Gateway
}

const say = (line: string): void => void process.stderr.write(`hintgate: ${line}\n`)

async function open(flags: ServeFlags): Promise<Opened> {
  surviveFaults()
  const premises = await openPremises(flags)
  const { config, rules } = premises.loaded
  return { ...premises, gateway: new Gateway({ ...premises, config, rules, say }) }
}

/** `hintgate serve`: runs until it is told to stop. */
export async function serve(flags: ServeFlags): Promise<void> {
  const opened = await open(flags)
  const url = await opened.gateway.start().catch((error: NodeJS.ErrnoException) => {
    if (error instanceof HintgateError) throw error
    const { host, port } = opened.loaded.config.listen
    throw new HintgateError(
      'listen_failed',
      { address: `${host}:${port}`, why: error.code ?? error.message },
      { cause: error },
    )
  })
  process.stdout.write(`listening ${url}\n`)
  const stopReloading = reloadOnChange(opened)
  await untilToldToStop()
  say('shutting down')
  stopReloading()
  await close(opened)
}

/** `hintgate stdio`: one client on this process's own pipe. */
export async function serveStdio(flags: StdioFlags): Promise<void> {
  const opened = await open(flags)
  const principal = await findLocalPrincipal(flags.agent, 'stdio', opened)
  const path = pathOf(flags)
  const serving = opened.gateway.serveStdio({ input: process.stdin, output: process.stdout, principal }, path)
  const stopReloading = reloadOnChange(opened)
  await Promise.race([serving, untilToldToStop()])
  stopReloading()
  await close(opened)
}

function pathOf({ server, direct }: StdioFlags): string {
  if (server !== undefined) return `/mcp/servers/${server}`
  return direct === true ? '/mcp/direct' : '/mcp'
}

function reloadOnChange({ gateway, loaded, load }: Opened): () => void {
  let { config } = loaded
  const reloader = createReloader({
    paths: () => (loaded.path === undefined ? [] : [loaded.path, ...config.policies]),
    load,
    onEvent(event) {
      if (event.kind === 'refused')
        return say(
          `the configuration was not taken over; the old one stays in force\n${renderError(event.error)}`,
        )
      config = event.loaded.config
      gateway.apply(event.loaded)
      say('the configuration was taken over')
    },
  })
  process.on('SIGHUP', reloader.reload)
  return () => {
    process.off('SIGHUP', reloader.reload)
    reloader.close()
  }
}

function untilToldToStop(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

async function close({ gateway, store }: Opened): Promise<void> {
  await gateway.close()
  await store.close()
  // A library's timer or socket must not keep the process; everything of ours is closed.
  process.exit(0)
}
