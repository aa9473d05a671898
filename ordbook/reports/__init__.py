"""Output for organisers about a task of their own: results, report, rerun, sweep, bundle."""
