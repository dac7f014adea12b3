import { collectOnMainThread } from '../../base/collect-garbage.ts'
import { HintgateError } from '../../base/errors.ts'
import type { LogSettings } from '../../base/log-levels.ts'
import type { Config } from '../../config/config.ts'
import { createReloader } from '../../config/reloader.ts'
import { Gateway } from '../../main.ts'
import { createLog, type Log, readLogSettings } from '../../telemetry/log.ts'
import { startTelemetry, type Telemetry } from '../../telemetry/start-telemetry.ts'
import { endOrphans } from '../../upstream/stdio/orphans.ts'
import { processGroups } from '../../upstream/stdio/process-groups.ts'
import {
  findLocalPrincipal,
  type GatewayResources,
  type OpenFlags,
  openResources,
} from '../client/open-resources.ts'
import { renderError, surviveFaults, version } from '../terminal/context.ts'
import { createConsoleLink } from './console-link.ts'

interface ServeFlags extends OpenFlags {
  readonly logFormat?: string
  readonly printLink?: boolean
}

interface StdioFlags extends ServeFlags {
  readonly agent?: string
  readonly server?: string
  readonly direct?: boolean
}

interface Opened extends GatewayResources {
  readonly gateway: Gateway
  readonly log: Log
  readonly telemetry: Telemetry
}

async function open(flags: ServeFlags): Promise<Opened> {
  collectOnMainThread()
  const resources = await openResources(flags)
  try {
    const { config, rules } = resources.loaded
    const log = createLog(logSettings(flags, resources), text => process.stderr.write(text))
    surviveFaults(line => log.say(line, { level: 'error' }))
    const running: { gateway?: Gateway } = {}
    const gather = () => running.gateway?.measures() ?? []
    const options = { config: config.telemetry, env: process.env, version: version(), log, gather }
    const telemetry = await startTelemetry(options)
    const { path, folder, home } = resources.loaded
    // A client might start the gateway in the wrong folder. This line then explains why the gateway has no servers.
    if (path === undefined) log.say('no config file was found; name one with --config', { level: 'warn' })
    const place = { path, folder, home }
    await endLeftProcesses(home, log)
    running.gateway = new Gateway({ ...resources, config, rules, place, say: log.say, onlooker: telemetry })
    return { ...resources, gateway: running.gateway, log, telemetry }
  } catch (error) {
    await resources.store.close()
    throw error
  }
}

/**
 * Ends the server processes that a killed gateway left behind, because they can hold ports or locks that new ones need.
 */
async function endLeftProcesses(home: string, log: Log): Promise<void> {
  processGroups.keepIn(home)
  const ended = await endOrphans(home)
  if (ended > 0)
    log.say(`stopped ${ended === 1 ? 'one server' : `${ended} servers`} left running by a killed gateway`)
}

function logSettings({ logFormat: format }: ServeFlags, { loaded }: GatewayResources): LogSettings {
  return readLogSettings({ config: loaded.config.log, env: process.env.HINTGATE_LOG, format })
}

export async function serve(flags: ServeFlags): Promise<void> {
  const opened = await open(flags)
  const url = await closeOnFailure(opened, start(opened))
  // The handler is set before the address is printed, because a program that reads the address might send a signal
  // immediately.
  const stopRequested = untilStopSignal()
  process.stdout.write(`listening ${url}\n`)
  await printConsoleLink(opened, url, flags)
  const stopReloading = reloadOnChange(opened)
  await stopRequested
  opened.log.say('shutting down')
  stopReloading()
  await close(opened)
}

/**
 * Prints a sign-in link, but only on a terminal, because people who read a log are not necessarily admins. If the store
 * fails here, the gateway keeps running.
 */
async function printConsoleLink({ store, key, log }: Opened, url: string, flags: ServeFlags): Promise<void> {
  if (!flags.printLink && !process.stdout.isTTY) {
    process.stdout.write('to open the console: hintgate console\n')
    return
  }
  try {
    process.stdout.write(`console ${await createConsoleLink({ store, key }, url, { role: 'admin' })}\n`)
  } catch (error) {
    log.say(`could not create a console link: ${String(error)}`, { level: 'warn' })
  }
}

async function start({ gateway, loaded }: Opened): Promise<string> {
  try {
    return await gateway.start()
  } catch (error) {
    if (error instanceof HintgateError) throw error
    const { host, port } = loaded.config.listen
    const { code, message } = error as NodeJS.ErrnoException
    throw new HintgateError(
      'listen_failed',
      { address: `${host}:${port}`, why: code ?? message },
      { cause: error },
    )
  }
}

/** Runs work, and closes everything if it fails, because an open resource would keep the process from ending. */
async function closeOnFailure<T>({ gateway, store, telemetry }: Opened, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await gateway.close()
    await telemetry.close()
    await store.close()
    throw error
  }
}

export async function serveStdio(flags: StdioFlags): Promise<void> {
  const opened = await open(flags)
  const { store } = opened
  const find = (config: Config) => findLocalPrincipal(flags.agent, 'stdio', { config, store })
  const principal = await closeOnFailure(opened, find(opened.loaded.config))
  const client = { input: process.stdin, output: process.stdout, principal, findAgain: find }
  const serving = opened.gateway.serveStdio(client, pathOf(flags))
  const stopReloading = reloadOnChange(opened)
  await closeOnFailure(opened, Promise.race([serving, untilStopSignal()])).finally(stopReloading)
  await close(opened)
}

function pathOf({ server, direct }: StdioFlags): string {
  if (server !== undefined) return `/mcp/servers/${server}`
  return direct === true ? '/mcp/direct' : '/mcp'
}

function reloadOnChange({ gateway, sources, load, log }: Opened): () => void {
  const reloader = createReloader({
    sources,
    load,
    onEvent(event) {
      if (event.kind === 'refused')
        return log.say(
          `the new configuration is invalid; the old one stays in force\n${renderError(event.error)}`,
          { level: 'warn' },
        )
      gateway.apply(event.loaded)
      log.say('reloaded the configuration')
    },
  })
  const reload = (): void => void reloader.reload()
  process.on('SIGHUP', reload)
  return () => {
    process.off('SIGHUP', reload)
    reloader.close()
  }
}

function untilStopSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

async function close({ gateway, store, telemetry }: Opened): Promise<void> {
  await gateway.close()
  await telemetry.close()
  await store.close()
  // All parts of the gateway are closed by now. Exits explicitly, because a library's timer or socket could keep the
  // process alive.
  process.exit(0)
}
