// A budget that many share, such as the memory for bodies. Who needs much waits for its turn, in the order they came,
// until enough was given back; who needs little, or finds out only later how much, takes it at once and goes without
// when four times the budget is used up.

export type Budget = {
  /** False when that would be too much. */
  readonly take: (amount: number) => boolean
  /** False when its turn did not come in time. What is more than the whole budget has its turn alone. */
  readonly wait: (amount: number, patienceMs: number) => Promise<boolean>
  readonly give: (amount: number) => void
}

type Waiting = { readonly amount: number; readonly enter: () => void }

export const openBudget = (most: number): Budget => {
  let held = 0
  const queue = new Set<Waiting>()
  const fits = (amount: number) => held === 0 || held + amount <= most
  const letIn = () => {
    for (const waiting of queue) {
      if (!fits(waiting.amount)) return
      queue.delete(waiting)
      held += waiting.amount
      waiting.enter()
    }
  }
  return {
    take: (amount) => {
      if (held + amount > 4 * most) return false
      held += amount
      return true
    },
    wait: (amount, patienceMs) => {
      if (queue.size === 0 && fits(amount)) {
        held += amount
        return Promise.resolve(true)
      }
      return new Promise((resolve) => {
        const waiting = {
          amount,
          enter: () => {
            clearTimeout(timer)
            resolve(true)
          },
        }
        const timer = setTimeout(() => {
          queue.delete(waiting)
          resolve(false)
          // It may have stood in front of others that fit.
          letIn()
        }, patienceMs)
        queue.add(waiting)
      })
    },
    give: (amount) => {
      held -= amount
      letIn()
    },
  }
}
