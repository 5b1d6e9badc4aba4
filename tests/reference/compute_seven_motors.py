"""The manipulator of [R] Chapter 4 (tables in ssrms.json): seven motors enforce the six payload velocities.

The motor torques have the least sum of squares; they are computed with a pseudo-inverse. Mass matrix and bias come from
the Newton-Euler recursion in newtonian axes.
Needs numpy and scipy. Run in the folder of ssrms.json: python3 compute_seven_motors.py > seven_motors.json
"""
import json

import numpy as np
from scipy.integrate import solve_ivp
d=json.load(open('ssrms.json'))['tables']
m=[d['mass_kg'][k] for k in ('B','B1','B2','B3','B4','B5','B6','B7')]
I=[]
for k in ('B','B1','B2','B3','B4','B5','B6','B7'):
    a=d[[x for x in d if x.startswith('inertia')][0]][k]; I.append(np.array([[a[0],a[3],a[5]],[a[3],a[1],a[4]],[a[5],a[4],a[2]]]))
axes=[np.array(v,float) for v in ([1,0,0],[0,0,1],[0,-1,0],[0,-1,0],[0,-1,0],[0,0,1],[1,0,0])]
rpb=[np.array(v,float) for v in d['r_Pr_Brstar_m']]; rbp=[np.zeros(3)]+[np.array(v,float) for v in d['r_Brstar_Prplus1_m']]
def rot(a,th):
    K=np.array([[0,-a[2],a[1]],[a[2],0,-a[0]],[-a[1],a[0],0]]); return np.eye(3)+np.sin(th)*K+(1-np.cos(th))*K@K
def R123(e): return rot([1,0,0],e[0])@rot([0,1,0],e[1])@rot([0,0,1],e[2])
def kin(q,u,ud):
    """Positions, omega, alpha and accelerations of the centers, all in N. u = (v_N(3), w_B(3), rates(7))."""
    R=[R123(q[3:6])]; w=[R[0]@u[3:6]]; al=[R[0]@ud[3:6]]; c=[q[:3].copy()]; v=[u[:3].copy()]; a=[ud[:3].copy()]
    ax=[]; P=[]
    for k in range(7):
        p=rbp[k] if k>0 else np.zeros(3)
        r=R[k]@p; Pk=c[k]+r; vP=v[k]+np.cross(w[k],r); aP=a[k]+np.cross(al[k],r)+np.cross(w[k],np.cross(w[k],r))
        z=R[k]@axes[k]; Rk=R[k]@rot(axes[k],q[6+k]); wk=w[k]+u[6+k]*z; ak=al[k]+ud[6+k]*z+np.cross(w[k],u[6+k]*z)
        s=Rk@rpb[k]; R.append(Rk); w.append(wk); al.append(ak); ax.append(z); P.append(Pk)
        c.append(Pk+s); v.append(vP+np.cross(wk,s)); a.append(aP+np.cross(ak,s)+np.cross(wk,np.cross(wk,s)))
    return R,w,al,c,v,a,ax,P
def inverse(q,u,ud):
    R,w,al,c,v,a,ax,P=kin(q,u,ud); F=np.zeros(3); T0=np.zeros(13)
    f=[m[k]*a[k] for k in range(8)]; n=[R[k]@I[k]@R[k].T@al[k]+np.cross(w[k],R[k]@I[k]@R[k].T@w[k]) for k in range(8)]
    for k in range(7):
        T0[6+k]=ax[k]@sum(n[j]+np.cross(c[j]-P[k],f[j]) for j in range(k+1,8))
    T0[:3]=sum(f); T0[3:6]=R[0].T@sum(n[j]+np.cross(c[j]-c[0],f[j]) for j in range(8))
    return T0
def rel(q,u,ud):
    """v and w of the payload relative to B (in the axes of B) and their rates, with the base at rest."""
    q0=q.copy(); q0[:6]=0; u0=u.copy(); u0[:6]=0; d0=ud.copy(); d0[:6]=0
    R,w,al,c,v,a,ax,P=kin(q0,u0,d0); return np.concatenate([v[7],w[7]]),np.concatenate([a[7],al[7]]),c[7]
mu=np.array([5**.5,-2,1])/10**.5; Q=10**.5
def want(t): return np.concatenate([Q/30*(2*np.pi/30)*np.sin(2*np.pi*t/30)*mu,np.zeros(3)])
def qdot(q,u):
    e=q[3:6]; w=u[3:6]; s2,c2=np.sin(e[1]),np.cos(e[1]); s3,c3=np.sin(e[2]),np.cos(e[2])
    x=(w[0]*c3-w[1]*s3)/c2
    return np.concatenate([u[:3],[x,w[0]*s3+w[1]*c3,w[2]-x*s2],u[6:]])
def solve(t,y):
    q,u=y[:13],y[13:]; z=np.zeros(13); h=inverse(q,u,z)
    M=np.array([inverse(q,z,e)-inverse(q,z,z) for e in np.eye(13)]).T
    A=np.zeros((6,13))
    for k in range(7): e=np.zeros(13); e[6+k]=1; A[:,6+k]=rel(q,e,z)[0]
    b=want(t)-rel(q,u,z)[1]
    G=np.zeros((13,7)); G[6:,:]=np.eye(7)
    Mi=np.linalg.inv(M); B=A@Mi@G; e=np.linalg.pinv(B)@(b-A@Mi@(-h)); return Mi@(-h+G@e),e
def rhs(t,y): return np.concatenate([qdot(y[:13],y[13:]),solve(t,y)[0]])
y0=np.zeros(26); y0[6:13]=np.radians(d['initial_joint_angles_deg'])
TOLERANCE = 1e-12
s = solve_ivp(rhs, (0, 30), y0, method='DOP853', rtol=TOLERANCE, atol=TOLERANCE * 1e-3, t_eval=[5, 10, 20, 30], max_step=2)
print(json.dumps([{'t': float(t), 'q': s.y[:13, i].tolist(), 'effort': solve(t, s.y[:, i])[1].tolist()} for i, t in enumerate(s.t)], indent=1))
