// Limits concurrent requests; the next one is for what is nearest to the screen.

interface Job {
  run(): Promise<void>;
  /** The distance from the screen; undefined when the request is no longer needed. */
  rank(): number | undefined;
}

export class Queue {
  private jobs: Job[] = [];
  private running = 0;
  constructor(private readonly most: number) {}

  add(job: Job): void {
    this.jobs.push(job);
    // In a later task, so that all requests of this one can be compared.
    queueMicrotask(() => this.next());
  }

  private next(): void {
    while (this.running < this.most && this.jobs.length > 0) {
      const ranked = this.jobs
        .map((job) => ({ job, rank: job.rank() }))
        .filter((one): one is { job: Job; rank: number } => one.rank !== undefined)
        .sort((a, b) => a.rank - b.rank);
      this.jobs = ranked.slice(1).map((one) => one.job);
      const first = ranked[0];
      if (!first) return;
      this.running++;
      first.job.run().finally(() => {
        this.running--;
        this.next();
      });
    }
  }
}
