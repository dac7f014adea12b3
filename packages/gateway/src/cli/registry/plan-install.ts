import type { Argument, Entry, NamedInput, Package, Remote } from './entry.ts'
import { type FilledPiece, InputFiller, type MissingInput, nameOfArgument } from './fill-inputs.ts'

/** One way to use a server from a registry. */
export interface Way {
  /** How the user chooses it with `--use`: npm, pypi, oci, nuget, http or sse. */
  readonly kind: string
  readonly title: string
  /** Undefined if the gateway cannot use it; `refusal` says why. */
  readonly plan?: Plan
  readonly refusal?: string
}

export type Plan = Program | Address

interface Filled {
  readonly missing: readonly MissingInput[]
  readonly problems: readonly string[]
  readonly unused: readonly string[]
}

interface Program extends Filled {
  readonly command: string
  readonly args: readonly (readonly FilledPiece[])[]
  readonly env: Readonly<Record<string, readonly FilledPiece[]>>
}

interface Address extends Filled {
  readonly url: readonly FilledPiece[]
  readonly headers: Readonly<Record<string, readonly FilledPiece[]>>
  readonly isSse: boolean
}

type Given = ReadonlyMap<string, readonly string[]>

/** Lists all ways to use a server. Servers at an address come first, because they run nothing on this machine. */
export function planInstall({ remotes = [], packages = [] }: Entry, given: Given): readonly Way[] {
  const isOlder = ({ type }: Remote) => type !== 'streamable-http'
  const sorted = remotes.toSorted((a, b) => Number(isOlder(a)) - Number(isOlder(b)))
  return [...sorted.map(remote => planRemote(remote, given)), ...packages.map(one => planPackage(one, given))]
}

/** Returns a way that can be used: the one that the user chose, or the first one. */
export function chooseWay(ways: readonly Way[], use: string | undefined): Way | undefined {
  const fitting = ways.filter(({ kind }) => use === undefined || kind === use)
  return fitting.find(({ plan }) => plan !== undefined) ?? fitting[0]
}

const REMOTES: Readonly<Record<string, 'http' | 'sse'>> = { 'streamable-http': 'http', sse: 'sse' }

function planRemote({ type, url = '', headers = [], variables }: Remote, given: Given): Way {
  const kind = REMOTES[type]
  const title = `${type} ${url}`
  if (kind === undefined) return { kind: type, title, refusal: `its transport ${type} is unknown` }
  if (!isPrivate(url)) return { kind, title, refusal: 'its URL is not encrypted' }
  const filler = new InputFiller(given)
  const filled = filler.fill('url', { value: url, variables }) ?? []
  const plan = { url: filled, headers: fillNamed(headers, filler), isSse: kind === 'sse' }
  return { kind, title, plan: { ...plan, ...resultOf(filler) } }
}

/** True for HTTPS, and for HTTP on this machine. */
function isPrivate(url: string): boolean {
  return /^https:\/\//i.test(url) || /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/i.test(url)
}

interface Runner {
  readonly program: string
  /** What a package may be called. An option instead of a name would change what runs. */
  readonly identifier: RegExp
  readonly start: (id: string, version: string | undefined) => readonly string[]
}

const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: {
    program: 'npx',
    identifier: /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i,
    start: (id, version) => ['-y', at(id, version)],
  },
  pypi: {
    program: 'uvx',
    identifier: /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i,
    start: (id, version) => [at(id, version)],
  },
  nuget: {
    program: 'dnx',
    identifier: /^[a-z0-9_][a-z0-9._-]*$/i,
    start: (id, version) => [at(id, version), '--yes', '--'],
  },
  oci: {
    program: 'docker',
    identifier: /^[a-z0-9][a-z0-9._:/-]*(?:@sha256:[0-9a-f]{64})?$/i,
    start: (id, version) => [hasTag(id) || version === undefined ? id : `${id}:${version}`],
  },
}

function planPackage(one: Package, given: Given): Way {
  const { registryType: kind, identifier, version, transport } = one
  const title = `${kind} ${identifier}${version === undefined ? '' : ` ${version}`} (${transport.type})`
  const runner = Object.hasOwn(RUNNERS, kind) ? RUNNERS[kind] : undefined
  if (runner === undefined) return { kind, title, refusal: `packages of type ${kind} cannot be started` }
  const refusal = refusePackage(one, runner)
  if (refusal !== undefined) return { kind, title, refusal }
  const filler = new InputFiller(given)
  const env = fillNamed(one.environmentVariables ?? [], filler)
  const args = (one.packageArguments ?? []).flatMap(argument => fillArgument(argument, filler))
  const start = runner.start(identifier, version).map(text => [{ kind: 'text', text } as const])
  // Docker passes a variable on only if it is named.
  const container = Object.keys(env).flatMap(name => ['-e', name])
  const before = (kind === 'oci' ? ['run', '-i', '--rm', ...container] : []).map(text => [
    { kind: 'text', text } as const,
  ])
  const plan = { command: runner.program, args: [...before, ...start, ...args], env }
  return { kind, title, plan: { ...plan, ...resultOf(filler) } }
}

/**
 * Variables that the entry's author must not name. They choose where a package or an image is downloaded from, or what
 * runs before it; the name of the package would then say nothing.
 */
const STEERS_RUNTIME =
  /^(?:npm_|uv_|pip_|pipx_|docker_|podman_|buildkit_|nuget_|dotnet_|node_|git_|ssl_|curl_|(?:https?|all|no)_proxy$|path$|home$|userprofile$|appdata$|localappdata$|xdg_|tmpdir$|temp$|tmp$)/i

/** Options of these runtimes that the gateway sets anyway. All others could change what runs, or what it can access. */
const HARMLESS = new Set(['-y', '--yes', '-i', '--interactive', '--rm', 'run'])

function refusePackage({ identifier, version = '', transport, ...rest }: Package, runner: Runner) {
  if (transport.type !== 'stdio')
    return `it would serve ${transport.type} on this machine; only stdio is supported`
  if (!runner.identifier.test(identifier)) return `${JSON.stringify(identifier)} is not the name of a package`
  const isExact = rest.registryType === 'oci' ? isPinned(identifier, version) : EXACT.test(version)
  if (!isExact) return `${JSON.stringify(version)} is not an exact version`
  const steering = (rest.environmentVariables ?? []).find(({ name }) => STEERS_RUNTIME.test(name))
  if (steering !== undefined) return `its variable ${steering.name} would change what ${runner.program} runs`
  const odd = (rest.runtimeArguments ?? []).find(one => !isHarmless(one, identifier))
  return odd === undefined
    ? undefined
    : `it passes ${JSON.stringify(`${odd.name ?? ''} ${odd.value ?? ''}`.trim())} to ${runner.program}`
}

/** At least three numbers: `1`, `1.x` and tags such as `next` can mean something else tomorrow. */
const EXACT = /^v?\d+\.\d+\.\d[\w.+-]*$|^\d{4}\.\d+[\w.+-]*$/

/** Whether an image has a digest, or a tag other than `latest`, in its name or as the version. */
function isPinned(image: string, version: string): boolean {
  const tag = /[:@]([^/]*)$/.exec(image)?.[1] ?? version
  return /^[\w][\w.:-]*$/.test(tag) && tag !== 'latest'
}

function isHarmless({ name, value, default: usual }: Argument, identifier: string): boolean {
  const text = name ?? value ?? usual ?? ''
  return HARMLESS.has(text) || identifier === text || identifier.startsWith(`${text}:`)
}

function fillNamed(inputs: readonly NamedInput[], filler: InputFiller) {
  const filled = inputs.map(input => [input.name, filler.fill(input.name, input)] as const)
  return Object.fromEntries(
    filled.flatMap(([name, pieces]) => (pieces === undefined ? [] : [[name, pieces]])),
  )
}

/** A named argument is followed by its value, as a word of its own. */
function fillArgument(argument: Argument, filler: InputFiller): readonly (readonly FilledPiece[])[] {
  const flag = argument.type === 'named' ? [[{ kind: 'text', text: argument.name ?? '' } as const]] : []
  const isSwitch = argument.type === 'named' && argument.value === undefined && argument.default === undefined
  const values = filler.fillAll(nameOfArgument(argument), argument)
  if (isSwitch && values.length === 0 && argument.isRequired !== true) return []
  return values.flatMap(value => [...flag, value])
}

function resultOf({ missing, problems, unused }: InputFiller): Filled {
  return { missing, problems, unused }
}

function at(id: string, version: string | undefined): string {
  return version === undefined ? id : `${id}@${version}`
}

function hasTag(image: string): boolean {
  return /[:@][^/]*$/.test(image)
}
