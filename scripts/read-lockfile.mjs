// What package-lock.json says of packages. No dependencies: the list of dependencies should not need any.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ready.mjs'

const MODULES = 'node_modules/'

/** Everything in the lockfile that is not ours, by its place; `isRuntime` is what `npm start` installs. */
export function readLockfile(file = join(ROOT, 'package-lock.json')) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  const entries = Object.entries(packages).filter(([place, { link }]) => place.includes(MODULES) && !link)
  const found = entries.map(([place, entry]) => ({
    place,
    name: place.slice(place.lastIndexOf(MODULES) + MODULES.length),
    ...entry,
    isRuntime: entry.dev !== true && entry.devOptional !== true,
  }))
  return { packages: found, workspaces: findWorkspaces(packages), places: packages }
}

/** Our own packages with what they ask for themselves. */
function findWorkspaces(packages) {
  return Object.entries(packages)
    .filter(([place]) => !place.includes(MODULES))
    .map(([place, entry]) => ({
      place,
      name: entry.name ?? 'hintgate',
      dependencies: entry.dependencies ?? {},
    }))
}

/** Where a package finds another one: in its own folder, or in one of those above. */
export function resolveFrom(place, name, places) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(MODULES) - 1))) {
    const candidate = folder === '' ? `${MODULES}${name}` : `${folder}/${MODULES}${name}`
    if (places[candidate] !== undefined) return candidate
    if (folder === '') return undefined
  }
}
