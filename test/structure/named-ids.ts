/** Finds ids of plug-ins that the source names as data: quoted, within quoted lists, and within SQL or markup. */
import { dirname, join, normalize } from 'node:path'
import { readImports, removeComments } from './sources.ts'

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

/** `file: word` for each word outside the files that may use it: in data, paths, settings, and sentences as well. */
export function findNamedWords(
  files: ReadonlyMap<string, string>,
  words: readonly string[],
  mayName: (file: string) => boolean,
): string[] {
  const named = new RegExp(`\\b(?:${words.join('|')})s?\\b`, 'gi')
  return [...files]
    .filter(([file]) => !mayName(file))
    .flatMap(([file, text]) => [...removeComments(text).matchAll(named)].map(([word]) => `${file}: ${word}`))
}

/** Imports of files in a plug-in's folder by files outside of it. Ids are the names of the folders. */
export function findForeignImports(
  files: ReadonlyMap<string, string>,
  folder: string,
  ids: readonly string[],
  mayImport: (file: string) => boolean,
): string[] {
  const findPlugin = (path: string): string | undefined => ids.find((id) => path.startsWith(`${folder}/${id}/`))
  return [...files]
    .filter(([file]) => !mayImport(file))
    .flatMap(([file, text]) =>
      readImports(text)
        .map(({ target }) => normalize(join(dirname(file), target)))
        .filter((path) => findPlugin(path) !== undefined && findPlugin(path) !== findPlugin(file))
        .map((path) => `${file} → ${path}`),
    )
}
