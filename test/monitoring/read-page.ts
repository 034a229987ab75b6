/** Reads a page of metrics: the value of each sample by its name and labels. */

export type Samples = ReadonlyMap<string, number>

export const parseSamples = (text: string): Samples =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )

export async function readSamples(url: string): Promise<Samples> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return parseSamples(await response.text())
}

/** Those that are not 0, of one family. */
export const selectFamily = (samples: Samples, name: string): Record<string, number> =>
  Object.fromEntries(
    [...samples].flatMap(([key, value]) =>
      value !== 0 && (key === name || key.startsWith(`${name}{`)) ? [[key.slice(name.length), value]] : [],
    ),
  )
