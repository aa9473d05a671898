"""Chapters x data sets x parameters, and the tables across data sets: ``ordbook sweep``.

Contents
--------
running     ``sweep``: does what a plan says, or what of it is not done yet
plan_file   ``Plan``: what is asked for, and its TOML file
plan        every job of a plan, checked before anything runs
jobs        does the jobs, on worker threads or on a Dask cluster
folder      the folder of a sweep: whole results only
numbers     what one data set gives to the tables across data sets
tables      those tables
"""

from ordbook.report.sweep.jobs import SweepError
from ordbook.report.sweep.plan_file import Plan, read_plan
from ordbook.report.sweep.running import sweep

__all__ = ["Plan", "SweepError", "read_plan", "sweep"]
