/** Finds ids of plug-ins that the source names as data: quoted, within quoted lists, and within SQL or markup. */
import { removeComments } from './sources.ts'

/** `file: id` for each id outside the files that may name it. Sentences for people do not count: they decide nothing. */
export function findNamedIds(
  files: ReadonlyMap<string, string>,
  ids: readonly string[],
  mayName: (file: string) => boolean,
): string[] {
  const quoted = new RegExp(`(?<=['"\`,])(?:${ids.join('|')})(?:@[0-9]+)?(?=['"\`,])`, 'g')
  return [...files]
    .filter(([file]) => !mayName(file))
    .flatMap(([file, text]) => [...removeComments(text).matchAll(quoted)].map(([id]) => `${file}: ${id}`))
}

/** Imports that reach into the folder of a plug-in, past the lists beside it. */
export function findFolderImports(
  files: ReadonlyMap<string, string>,
  folder: string,
  ids: readonly string[],
  mayName: (file: string) => boolean,
): string[] {
  const path = new RegExp(`from '[^']*\\b${folder}/(?:${ids.join('|')})/[^']*'`, 'g')
  return [...files]
    .filter(([file]) => !mayName(file))
    .flatMap(([file, text]) => [...removeComments(text).matchAll(path)].map(([statement]) => `${file}: ${statement}`))
}
