import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { later } from './clean-up.ts'
import { Inbox } from './inbox.ts'

/** What a server of `test/servers` reports to have seen. */
export interface Sighting {
  readonly server: string
  readonly pid: number
  readonly kind: 'started' | 'received' | 'request' | 'hanging' | 'cancelled' | 'half' | 'terminated'
  readonly raw?: string
  readonly method?: string
  readonly id?: string | number
  readonly how?: string
  readonly args?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Command = { kind: 'release' } | { kind: 'forget' } | { kind: 'tools'; tools: string[] }

/**
 * Records what the servers behind the gateway receive, over a channel that does not pass through the gateway
 * (servers/report.mjs).
 */
export class Witness {
  readonly #inbox = new Inbox<Sighting>('the servers')
  readonly #accepted = new Set<Socket>()
  /** By process, because a server can run more than once. */
  readonly #sockets = new Map<number, Socket>()
  /** Commands for processes that have not connected yet. */
  readonly #unsaid = new Map<number, string[]>()
  readonly #server: Server
  readonly #folder = mkdtempSync(join(tmpdir(), 'hintgate-witness-'))
  readonly #path = join(this.#folder, 'sightings.jsonl')
  readonly #file = openSync(this.#path, 'a+')
  readonly #tail = new StringDecoder()
  #read = 0
  #rest = ''
  #port = 0

  constructor() {
    this.#server = createServer(socket => this.#accept(socket))
  }

  async open(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.#port = typeof address === 'object' && address !== null ? address.port : 0
    return this
  }

  /** The value of a server's `--report` flag. */
  get line(): string {
    return `${this.#port}:${this.#path}`
  }

  /** Everything that any server has reported so far. */
  get sightings(): readonly Sighting[] {
    this.#look()
    return this.#inbox.items
  }

  /** The reports of one server, of one kind. */
  of(server: string, kind: Sighting['kind'] = 'received'): readonly Sighting[] {
    return this.sightings.filter(sighting => sighting.server === server && sighting.kind === kind)
  }

  saw(
    server: string,
    kind: Sighting['kind'],
    match: (sighting: Sighting) => boolean = () => true,
  ): Promise<Sighting> {
    this.#look()
    return this.#inbox.until(
      sighting => sighting.server === server && sighting.kind === kind && match(sighting),
    )
  }

  /** Sends a command to every process of that server that has started. */
  tell(server: string, command: Command): void {
    const line = `${JSON.stringify(command)}\n`
    for (const { pid } of this.of(server, 'started')) {
      const socket = this.#sockets.get(pid)
      if (socket === undefined) this.#unsaid.set(pid, [...(this.#unsaid.get(pid) ?? []), line])
      else if (!socket.destroyed) socket.write(line)
    }
  }

  close(): void {
    for (const socket of this.#accepted) socket.destroy()
    this.#server.close()
    closeSync(this.#file)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** The lines written since the last read. */
  #look(): void {
    const bytes = Buffer.alloc(fstatSync(this.#file).size - this.#read)
    const length = readSync(this.#file, bytes, 0, bytes.length, this.#read)
    this.#read += length
    const lines = (this.#rest + this.#tail.write(bytes.subarray(0, length))).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#inbox.add(JSON.parse(line) as Sighting)
  }

  #accept(socket: Socket): void {
    let rest = ''
    this.#accepted.add(socket)
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#meet((JSON.parse(line) as { pid: number }).pid, socket)
      this.#look()
    })
  }

  #meet(pid: number, socket: Socket): void {
    this.#sockets.set(pid, socket)
    for (const line of this.#unsaid.get(pid) ?? []) socket.write(line)
    this.#unsaid.delete(pid)
  }
}

export async function openWitness(): Promise<Witness> {
  const witness = await new Witness().open()
  later(() => witness.close())
  return witness
}
