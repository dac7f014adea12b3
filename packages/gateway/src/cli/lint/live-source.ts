import { homedir } from 'node:os'
import { buildServer } from '../../config/build-server.ts'
import { buildConfig, type Limits, type ServerConfig } from '../../config/config.ts'
import { NOT_LISTED, probeServer } from '../../doctor/probe-server.ts'
import { loadHere } from '../terminal/context.ts'
import { isUrl, type LocatedTool, UnreadableInput } from './tool-source.ts'

interface LiveOptions {
  readonly headers: Readonly<Record<string, string>>
}

export function readLive(target: string, { headers }: LiveOptions): AsyncGenerator<LocatedTool> {
  const [command = '', ...args] = splitCommand(target)
  const input = isUrl(target) ? { url: target, headers } : { command, args }
  const places = { folder: process.cwd(), homeDir: homedir(), home: process.cwd() }
  return readServer(buildServer('', input, places), buildConfig({}, places).limits, target)
}

export async function* readConfigured(file: string, home?: string): AsyncGenerator<LocatedTool> {
  const { config } = await loadHere({ config: file, ...(home !== undefined && { home }) })
  for (const server of config.servers.filter(one => one.enabled)) {
    for await (const tool of readServer(server, config.limits, file)) yield { ...tool, server: server.name }
  }
}

async function* readServer(config: ServerConfig, limits: Limits, file: string): AsyncGenerator<LocatedTool> {
  const { failure, definitions } = await probeServer(config, limits, { name: 'hintgate-lint' })
  const who = config.name === '' ? 'the server' : `the server ${JSON.stringify(config.name)}`
  const why = failure === NOT_LISTED ? failure.replace('it', () => who) : `${who}: ${failure}`
  if (failure !== undefined)
    throw new UnreadableInput(`${file}: ${why}`, 'run the server on its own and look at its output')
  for (const definition of definitions) yield { file, line: 1, server: '', definition }
}

/**
 * Splits a command line into words, with quotes and backslashes as in a shell. Nothing is expanded, and no shell runs.
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
