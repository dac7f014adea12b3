// Checks the rooms of the gateway: what each one uses, and that there are no cycles between folders.

const SOURCES = 'packages/gateway/src/'
/** Tests and their support files may use any code. */
const TESTS = /\.test\.ts$|\/test-support\/|\/store\/contract[^/]*\.ts$/
const MOST_FILES = 25
const FEW_LINES = 25

/** The imports of the gateway without tests, as pairs of paths relative to its sources. */
export function listImports(modules) {
  return modules
    .filter(isSource)
    .flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => resolved.startsWith(SOURCES))
        .map(({ resolved }) => ({ from: below(source), to: below(resolved) })),
    )
}

/** The files of the gateway without tests. */
export function listSources(modules) {
  return modules.filter(isSource).map(({ source }) => below(source))
}

/**
 * Lists the problems of the rooms: imports that are not allowed, allowances against the order or without use, cycles
 * between folders, folders with too many files, files outside of any room, and tiny files with a single user.
 */
export function checkRooms({ files, imports, rooms, countLines = () => Number.POSITIVE_INFINITY }) {
  return [
    ...checkAllowances(rooms),
    ...checkEdges(imports, rooms),
    ...findCycles(imports).map(cycle => `cycle between folders: ${cycle.join(' → ')}`),
    ...checkFolders(files, rooms),
    ...checkSmall({ files, imports, countLines }),
  ]
}

/** A tiny file with a single user in its folder belongs in that file. */
function checkSmall({ files, imports, countLines }) {
  return files
    .filter(file => countLines(file) < FEW_LINES)
    .flatMap(file => {
      const users = new Set(imports.filter(({ to }) => to === file).map(({ from }) => from))
      const [user] = users
      return users.size === 1 && folderOf(user) === folderOf(file)
        ? [`${file} has fewer than ${FEW_LINES} lines and only ${user} uses it: move it there`]
        : []
    })
}

/** Rooms are ordered: each may use only rooms before it. */
function checkAllowances(rooms) {
  const names = rooms.map(({ name }) => name)
  return rooms.flatMap(({ name, uses, why = {} }, at) => [
    ...uses
      .filter(used => !names.slice(0, at).includes(used))
      .map(used => `${name} must not use ${used}: it comes later in boundaries.json`),
    ...Object.keys(why)
      .filter(used => !uses.includes(used))
      .map(
        used =>
          `${name} gives a reason to use ${used}, but does not use it: remove the reason from boundaries.json`,
      ),
  ])
}

function checkEdges(imports, rooms) {
  const seen = new Set()
  const wrong = []
  for (const { from, to } of imports) {
    const [user, used] = [roomOf(from), roomOf(to)]
    if (user === used) continue
    seen.add(`${user} ${used}`)
    const isAllowed = rooms.find(({ name }) => name === user)?.uses.includes(used)
    if (!isAllowed) wrong.push(`${user} must not use ${used}: ${from} → ${to}`)
  }
  const unused = rooms.flatMap(({ name, uses }) =>
    uses
      .filter(used => !seen.has(`${name} ${used}`))
      .map(used => `${name} no longer uses ${used}: remove it from boundaries.json`),
  )
  return [...wrong, ...unused]
}

function checkFolders(files, rooms) {
  const names = new Set(rooms.map(({ name }) => name))
  const beside = groupByFolder(files)
  const full = [...beside]
    .filter(([, members]) => members.length > MOST_FILES)
    .map(([folder, { length }]) => `${folder} has ${length} files; the limit is ${MOST_FILES}`)
  const loose = files
    .filter(file => !names.has(roomOf(file)))
    .map(file => `${file} is in no room of boundaries.json`)
  return [...full, ...loose]
}

/** Cycles between folders at every depth. The files directly in a folder count apart from its subfolders. */
export function findCycles(imports) {
  const uses = new Map()
  for (const { from, to } of imports) {
    const [user, used] = [folderOf(from), folderOf(to)]
    if (user !== used) uses.set(user, (uses.get(user) ?? new Set()).add(used))
  }
  const done = new Set()
  const cycles = []
  const walk = (folder, path) => {
    const at = path.indexOf(folder)
    if (at >= 0) return cycles.push([...path.slice(at), folder])
    if (done.has(folder)) return
    for (const next of uses.get(folder) ?? []) walk(next, [...path, folder])
    done.add(folder)
  }
  for (const folder of uses.keys()) walk(folder, [])
  return cycles
}

export function roomOf(file) {
  return file.split('/')[0]
}

function folderOf(file) {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.'
}

function isSource({ source }) {
  return source.startsWith(SOURCES) && source.endsWith('.ts') && !TESTS.test(source)
}

function below(path) {
  return path.slice(SOURCES.length)
}

function groupByFolder(files) {
  const groups = new Map()
  for (const file of files) groups.set(folderOf(file), [...(groups.get(folderOf(file)) ?? []), file])
  return groups
}
