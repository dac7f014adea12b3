interface Import {
  readonly from: string
  readonly to: string
}

interface Module {
  readonly source: string
  readonly dependencies: readonly { readonly resolved: string }[]
}

interface Room {
  readonly name: string
  readonly uses: readonly string[]
  readonly why?: Readonly<Record<string, string>>
}

interface Sources {
  readonly files: readonly string[]
  readonly imports: readonly Import[]
  readonly rooms: readonly Room[]
  readonly countLines?: (file: string) => number
}

export function listImports(modules: readonly Module[]): Import[]
export function listSources(modules: readonly Module[]): string[]
export function checkRooms(sources: Sources): string[]
export function findCycles(imports: readonly Import[]): string[][]
export function roomOf(file: string): string
