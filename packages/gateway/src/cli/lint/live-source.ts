import { homedir } from 'node:os'
import { listDefinitions, TOOLS } from '../../catalog/list-definitions.ts'
import { buildServer } from '../../config/build-server.ts'
import type { Limits, ServerConfig } from '../../config/config.ts'
import { buildConfig } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { createChannel } from '../../upstream/create-channel.ts'
import { UpstreamServer } from '../../upstream/upstream-server.ts'
import { isUrl, type LocatedTool, UnreadableInput } from './tool-source.ts'

interface LiveOptions {
  /** Sent to servers behind a URL. */
  readonly headers: Readonly<Record<string, string>>
}

/** Connects to a server, or starts one, and yields the tools it lists. It is stopped whatever happens. */
export function readLive(target: string, { headers }: LiveOptions): AsyncGenerator<LocatedTool> {
  const [command = '', ...args] = splitCommand(target)
  const input = isUrl(target) ? { url: target, headers } : { command, args }
  const places = { folder: process.cwd(), homeDir: homedir(), home: process.cwd() }
  return readServer(buildServer('', input, places), buildConfig({}, places).limits, target)
}

/** The tools of every server of a config. */
export async function* readConfigured(file: string, home?: string): AsyncGenerator<LocatedTool> {
  const { config } = loadConfig({
    path: file,
    env: process.env,
    cwd: process.cwd(),
    homeDir: homedir(),
    flags: { home },
  })
  for (const server of config.servers.filter(one => one.enabled)) {
    for await (const tool of readServer(server, config.limits, file)) yield { ...tool, server: server.name }
  }
}

async function* readServer(config: ServerConfig, limits: Limits, file: string): AsyncGenerator<LocatedTool> {
  const server = new UpstreamServer(
    { ...config, lazy: true },
    {
      createChannel: settings => createChannel(settings, limits),
      clientInfo: { name: 'hintgate-lint', version: '0' },
      rememberedEra: async () => undefined,
      rememberEra: async () => {},
    },
  )
  try {
    const tools = await listDefinitions(server, TOOLS)
    if (tools === undefined)
      throw new UnreadableInput(`${file}: ${explain(server)}`, 'see what it does by itself')
    for (const definition of tools) yield { file, line: 1, server: '', definition }
  } finally {
    await server.stop()
  }
}

function explain({ lastFailure, name }: UpstreamServer): string {
  const who = name === '' ? 'the server' : `the server ${JSON.stringify(name)}`
  return lastFailure === undefined ? `${who} did not list its tools` : `${who}: ${lastFailure.detail}`
}

/**
 * A command line as its words: blanks separate, quotes keep together, a backslash takes the next character as it is.
 * Nothing is expanded, and no shell ever sees it.
 */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1
      word = (word ?? '') + text.charAt(at)
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word = (word ?? '') + character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  return word === undefined ? words : [...words, word]
}
