// Reads the packages from package-lock.json, without dependencies.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ready.mjs'

const MODULES = 'node_modules/'

/** The packages in the lockfile that are not ours, by path. `isRuntime` marks those that `npm start` installs. */
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

/** Our own packages with their direct dependencies. */
function findWorkspaces(packages) {
  return Object.entries(packages)
    .filter(([place]) => !place.includes(MODULES))
    .map(([place, entry]) => ({
      place,
      name: entry.name ?? 'hintgate',
      dependencies: entry.dependencies ?? {},
    }))
}

/** The path where a package finds another one: in its own folder or in a folder above. */
export function resolveFrom(place, name, places) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(MODULES) - 1))) {
    const candidate = folder === '' ? `${MODULES}${name}` : `${folder}/${MODULES}${name}`
    if (places[candidate] !== undefined) return candidate
    if (folder === '') return undefined
  }
}
