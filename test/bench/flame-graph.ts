/** Draws folded stacks as an SVG that a browser shows alone: wider is more time, callers stand below. */

interface Node {
  readonly name: string
  count: number
  readonly children: Map<string, Node>
}

const width = 1_600
const rowHeight = 18
/** Narrower boxes cannot be seen. */
const leastWidth = 0.4
const letterWidth = 6.6

export function drawFlameGraph(stacks: ReadonlyMap<string, number>): string {
  const root: Node = { name: 'all', count: 0, children: new Map() }
  for (const [stack, count] of stacks) addStack(root, stack.split(';'), count)
  const boxes: string[] = []
  const depth = drawNode(root, { x: 0, level: 0, unit: width / Math.max(1, root.count), total: root.count }, boxes)
  const height = (depth + 1) * rowHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="monospace" font-size="11">
<g transform="translate(0 ${height}) scale(1 -1)">
${boxes.join('\n')}
</g>
</svg>
`
}

function addStack(root: Node, names: readonly string[], count: number): void {
  let node = root
  node.count += count
  for (const name of names) {
    const child = node.children.get(name) ?? { name, count: 0, children: new Map() }
    node.children.set(name, child)
    child.count += count
    node = child
  }
}

interface Place {
  readonly x: number
  readonly level: number
  /** Pixels for each sample. */
  readonly unit: number
  readonly total: number
}

/** Returns the deepest level that it drew. */
function drawNode(node: Node, place: Place, boxes: string[]): number {
  const { level, unit, total } = place
  const boxWidth = node.count * unit
  if (boxWidth < leastWidth) return level
  const share = `${((100 * node.count) / total).toFixed(1)} %`
  const text = escapeXml(node.name.slice(0, Math.floor(boxWidth / letterWidth)))
  const y = level * rowHeight
  // The picture is upside down, and each text is turned back.
  boxes.push(
    `<g><title>${escapeXml(node.name)}: ${share}</title><rect x="${place.x.toFixed(1)}" y="${y}" width="${boxWidth.toFixed(1)}" height="${rowHeight - 1}" fill="hsl(${chooseHue(node.name)} 70% 75%)"/>` +
      `<text transform="translate(${(place.x + 2).toFixed(1)} ${y + 5}) scale(1 -1)">${text}</text></g>`,
  )
  let x = place.x
  let deepest = level
  for (const child of [...node.children.values()].sort((one, other) => other.count - one.count)) {
    deepest = Math.max(deepest, drawNode(child, { ...place, x, level: level + 1 }, boxes))
    x += child.count * unit
  }
  return deepest
}

/** The same for the same name, between red and yellow. */
const chooseHue = (name: string): number => Bun.hash.crc32(name) % 60

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
