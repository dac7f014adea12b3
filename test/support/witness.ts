import { createServer, type Server, type Socket } from 'node:net'
import { later } from './clean-up.ts'
import { Inbox } from './inbox.ts'

/** What a server of `test/servers` says it saw. */
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

/** Hears what the servers behind the gateway see, over a line that does not lead through the gateway. */
export class Witness {
  readonly #inbox = new Inbox<Sighting>('the servers')
  readonly #sockets = new Map<string, Set<Socket>>()
  readonly #server: Server
  port = 0

  constructor() {
    this.#server = createServer(socket => this.#accept(socket))
  }

  async open(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
    return this
  }

  get sightings(): readonly Sighting[] {
    return this.#inbox.items
  }

  /** What one server saw, of one kind. */
  of(server: string, kind: Sighting['kind'] = 'received'): readonly Sighting[] {
    return this.sightings.filter(sighting => sighting.server === server && sighting.kind === kind)
  }

  saw(
    server: string,
    kind: Sighting['kind'],
    match: (sighting: Sighting) => boolean = () => true,
  ): Promise<Sighting> {
    return this.#inbox.until(
      sighting => sighting.server === server && sighting.kind === kind && match(sighting),
    )
  }

  tell(server: string, command: Command): void {
    for (const socket of this.#sockets.get(server) ?? []) socket.write(`${JSON.stringify(command)}\n`)
  }

  close(): void {
    for (const socket of [...this.#sockets.values()].flatMap(sockets => [...sockets])) socket.destroy()
    this.#server.close()
  }

  #accept(socket: Socket): void {
    let rest = ''
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#hear(JSON.parse(line) as Sighting, socket)
    })
  }

  #hear(sighting: Sighting, socket: Socket): void {
    const known = this.#sockets.get(sighting.server) ?? new Set()
    if (!known.has(socket)) socket.once('close', () => known.delete(socket))
    this.#sockets.set(sighting.server, known.add(socket))
    this.#inbox.add(sighting)
  }
}

export async function openWitness(): Promise<Witness> {
  const witness = await new Witness().open()
  later(() => witness.close())
  return witness
}
