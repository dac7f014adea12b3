import { spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** One instruction of a Dockerfile, with its continuation lines. */
export interface Step {
  readonly name: string
  readonly text: string
}

export interface Stage {
  /** The name of the stage. */
  readonly name: string
  readonly steps: readonly Step[]
}

export function readDockerfile(text: string): readonly Stage[] {
  const steps = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => ({ name: line.split(' ', 1)[0] ?? '', text: line.slice(line.indexOf(' ') + 1).trim() }))
  const stages: { name: string; steps: Step[] }[] = []
  for (const step of steps) {
    if (step.name === 'FROM') stages.push({ name: / AS (\S+)/.exec(step.text)?.[1] ?? '', steps: [] })
    else stages.at(-1)?.steps.push(step)
  }
  return stages
}

/** The sources and the target of `COPY a b c`. */
export function readCopy({ text }: Step): { from?: string; sources: readonly string[]; target: string } {
  const from = /^--from=(\S+) /.exec(text)?.[1]
  const words = text.replace(/^--\S+ /, '').split(/\s+/)
  return { ...(from !== undefined && { from }), sources: words.slice(0, -1), target: words.at(-1) ?? '' }
}

/** The form `["node", "a.js"]` of ENTRYPOINT and CMD. */
export function readWords(stage: Stage, name: string): readonly string[] {
  const step = stage.steps.find(one => one.name === name)
  return JSON.parse(/\[.*\]/.exec(step?.text ?? '[]')?.[0] ?? '[]') as string[]
}

interface Building {
  /** The folder that the image is built from. */
  readonly context: string
  /** The patterns of `.dockerignore`. */
  readonly isIgnored: (path: string) => boolean
  /** A folder for each stage, which is its root folder. */
  readonly rootOf: (stage: string) => string
}

/**
 * Does the work of `docker build` without containers: with folders in place of file systems, and our Node in place of
 * the image's.
 */
export async function buildStage(stage: Stage, { context, isIgnored, rootOf }: Building): Promise<void> {
  const root = rootOf(stage.name)
  let workdir = '/'
  const inside = (path: string): string => join(root, path.startsWith('/') ? path : join(workdir, path))
  for (const step of stage.steps) {
    if (step.name === 'WORKDIR') workdir = step.text
    if (step.name === 'COPY') {
      const { from, sources, target } = readCopy(step)
      const base = from === undefined ? context : rootOf(from)
      for (const source of sources) copy(join(base, source), inside(target), from === undefined)
    }
    mkdirSync(inside('.'), { recursive: true })
    if (step.name === 'RUN') await runIn(inside('.'), step.text.replaceAll(/(?<= )\/(?=var\/)/g, `${root}/`))
  }

  function copy(source: string, target: string, isFromContext: boolean): void {
    mkdirSync(dirname(target), { recursive: true })
    cpSync(source, target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: path => !isFromContext || !isIgnored(relative(context, path)),
    })
  }
}

function runIn(cwd: string, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The packages that the tests run with are in the cache already.
    const env = { ...process.env, npm_config_prefer_offline: 'true' }
    const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)))
    child.once('error', reject)
    child.once('close', code =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}: ${said}`)),
    )
  })
}
