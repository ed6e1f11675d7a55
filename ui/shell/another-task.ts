type Scheduler = { readonly yield?: () => Promise<void> }

/** Lets the browser paint and answer before what follows, which comes before other work that waits (Prioritized Task Scheduling §2.2), where there is such. */
export async function anotherTask(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler }
  await (scheduler?.yield?.() ?? new Promise<void>((resolve) => setTimeout(resolve)))
}
