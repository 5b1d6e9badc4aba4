def of_stiff(tools): return []
def of_iftomm(tools): return []
def of_loops(tools): return []
