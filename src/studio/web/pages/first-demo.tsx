// A believable fleet in place of one's own, with one click: the same as `coppice demo` makes (src/demo).
import { useState } from 'preact/hooks'
import { problemOf } from '../load.ts'
import { go } from '../router.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Notice } from '../ui/parts.tsx'

const words = texts.first

export const Demo = () => {
  const [progress, setProgress] = useState<{ readonly samples: number; readonly total: number }>()
  const [problem, setProblem] = useState('')
  const fill = async () => {
    setProblem('')
    setProgress({ samples: 0, total: 1 })
    try {
      const { fillDemo } = await import('../../../demo/fill.ts')
      await fillDemo(client.peek(), {
        size: 'small',
        seed: 1,
        nowMs: Date.now(),
        progress: (samples, total) => setProgress({ samples, total }),
      })
      go(['components'], { folder: '/Components/Demo' })
    } catch (error) {
      setProblem(problemOf(error))
      setProgress(undefined)
    }
  }
  return (
    <section class="card stack">
      <h2>{words.demo}</h2>
      <p>{words.demoLead}</p>
      {progress ? (
        <label class="stack">
          {words.demoProgress(progress.samples, progress.total)}
          <progress value={progress.samples} max={progress.total} />
        </label>
      ) : (
        <div>
          <button onClick={() => void fill()}>{words.demoButton}</button>
        </div>
      )}
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
    </section>
  )
}
