INSERT INTO job_runs (job, ended_at, took_ms, is_good, says, good_at) VALUES ('job_runs job 1', 1767225600001, 1, 1, 'job_runs says 1', 1767225600001);
INSERT INTO job_runs (job, ended_at, took_ms, is_good, says, good_at) VALUES ('job_runs job 2', 1767225600002, 2, 2, 'job_runs says 2', 1767225600002);
