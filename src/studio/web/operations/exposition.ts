// The figures of the server as /metrics writes them (docs/operations.md#monitoring), read for the page.
//
//   coppice_refused_requests_total{code="forbidden",method="PUT",…} 3

export type Point = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** By the names of the figures. */
export type Figures = ReadonlyMap<string, readonly Point[]>

export const readFigures = (text: string): Figures => {
  const figures = new Map<string, Point[]>()
  for (const line of text.split('\n')) {
    const match = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line)
    if (!match) continue
    const [, name, labels = '', value] = match
    const known = figures.get(name!)
    const point = { labels: readLabels(labels), value: Number(value) }
    if (known) known.push(point)
    else figures.set(name!, [point])
  }
  return figures
}

const readLabels = (text: string): Point['labels'] =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    ]),
  )

const noPoints: readonly Point[] = []

export const pointsOf = (figures: Figures, name: string): readonly Point[] => figures.get(name) ?? noPoints

/** The sum over all labels, or those that are wanted; undefined where it is not known. */
export const sumOf = (
  figures: Figures,
  name: string,
  isWanted: (labels: Point['labels']) => boolean = () => true,
): number | undefined => {
  const points = pointsOf(figures, name).filter(({ labels }) => isWanted(labels))
  if (!figures.has(name)) return undefined
  const sum = points.reduce((all, { value }) => all + value, 0)
  return Number.isNaN(sum) ? undefined : sum
}
